/**
 * Counts and measures with Micrometer, which whoever uses this package brings: {@link dev.duetime.metrics.TimerMetrics} is a
 * listener like any other.
 */
@NullMarked
package dev.duetime.metrics;

import org.jspecify.annotations.NullMarked;
