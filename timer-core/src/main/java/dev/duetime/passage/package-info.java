/**
 * The passage of time as events. {@link dev.duetime.passage.PassageOfTime} holds subscriptions, and {@link
 * dev.duetime.passage.TimeHasPassed} and its cases are the events.
 */
@NullMarked
package dev.duetime.passage;

import org.jspecify.annotations.NullMarked;
