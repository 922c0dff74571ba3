/** What the engine reports: the calls of listeners, the log, and the beginning and end of outages. */
@NullMarked
package dev.duetime.engine.report;

import org.jspecify.annotations.NullMarked;
