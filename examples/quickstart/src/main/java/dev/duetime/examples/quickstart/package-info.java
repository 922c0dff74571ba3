/** Reads {@code ScheduleTimer} commands, keeps them in an H2 file and prints each event when its time has come. */
@NullMarked
package dev.duetime.examples.quickstart;

import org.jspecify.annotations.NullMarked;
