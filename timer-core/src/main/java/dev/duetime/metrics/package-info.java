/**
 * Metrics of a scheduler in a Micrometer registry. Users of this package add Micrometer themselves. {@link
 * dev.duetime.metrics.TimerMetrics} is a listener like any other.
 */
@NullMarked
package dev.duetime.metrics;

import org.jspecify.annotations.NullMarked;
