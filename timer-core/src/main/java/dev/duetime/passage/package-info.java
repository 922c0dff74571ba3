/**
 * The passage of time as events: {@link dev.duetime.passage.TimeHasPassed} and its cases, each of which names the period
 * that has passed.
 */
@NullMarked
package dev.duetime.passage;

import org.jspecify.annotations.NullMarked;
