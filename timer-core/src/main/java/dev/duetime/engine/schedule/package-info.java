/** Scheduling: checks timers, merges them with waiting ones, and stores them by group commit. */
@NullMarked
package dev.duetime.engine.schedule;

import org.jspecify.annotations.NullMarked;
