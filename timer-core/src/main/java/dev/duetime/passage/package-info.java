/**
 * The passage of time: {@link dev.duetime.passage.PassageOfTime} tells subscribers; {@link
 * dev.duetime.passage.TimeHasPassed} and its cases are what they are told, each of which names the period that has passed.
 */
@NullMarked
package dev.duetime.passage;

import org.jspecify.annotations.NullMarked;
