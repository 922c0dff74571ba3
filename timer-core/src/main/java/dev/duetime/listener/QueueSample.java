package dev.duetime.listener;

import java.time.Duration;

/**
 * Shows how a queue stood when it was sampled.
 *
 * @param queue the queue
 * @param oldestDueAge for how long the oldest timer of the whole queue that is due has been so, also where no node owns its
 *     shard; zero if none is due
 * @param pending how many timers of the whole queue are scheduled, about
 * @param inFlight how many timers this node has in delivery
 * @param shardsOwned how many shards this node delivers from
 */
public record QueueSample(String queue, Duration oldestDueAge, long pending, int inFlight, int shardsOwned) {}
