/**
 * Events that say that a minute, an hour, a day or another period has passed. {@link dev.duetime.passage.PassageOfTime}
 * holds subscriptions, and {@link dev.duetime.passage.TimeHasPassed} and its cases are the events.
 */
@NullMarked
package dev.duetime.passage;

import org.jspecify.annotations.NullMarked;
