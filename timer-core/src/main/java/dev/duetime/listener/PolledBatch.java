package dev.duetime.listener;

import java.time.Duration;

/**
 * One batch that the loop of a queue read, delivered and settled.
 *
 * @param queue the queue
 * @param timers how many timers were read
 * @param took the time to read, deliver and settle; in a backlog, the settled batch may be the one before
 */
public record PolledBatch(String queue, int timers, Duration took) {}
