package dev.duetime.admin;

import dev.duetime.TimerState;

/**
 * Tells how many timers of a queue are in a state. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param state the state
 * @param timers how many, at least 1
 */
public record TimerCount(String queue, TimerState state, long timers) {}
