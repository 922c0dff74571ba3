/** The reports of the engine: calls to listeners, log lines, and the beginning and end of outages. */
@NullMarked
package dev.duetime.engine.report;

import org.jspecify.annotations.NullMarked;
