/** Listeners, logs and outages. */
@NullMarked
package dev.duetime.engine.report;

import org.jspecify.annotations.NullMarked;
