package dev.duetime.listener;

import java.time.Duration;

/**
 * Tells of one batch that a queue's loop read, delivered and settled.
 *
 * @param queue the queue
 * @param timers how many timers were read
 * @param took how long reading, delivering and settling took; in a backlog it may be the batch before that was settled
 */
public record PolledBatch(String queue, int timers, Duration took) {}
