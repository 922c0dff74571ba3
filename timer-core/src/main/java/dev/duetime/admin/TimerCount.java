package dev.duetime.admin;

import dev.duetime.TimerState;

/**
 * The number of timers of a queue in one state. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param state the state
 * @param timers how many, at least 1
 */
public record TimerCount(String queue, TimerState state, long timers) {}
