package dev.duetime.listener;

import java.time.Duration;

/**
 * The state of a queue when it was sampled.
 *
 * @param queue the queue
 * @param oldestDueAge for how long the oldest due timer of the whole queue has been due, including shards without an
 *     owner; zero if none is due
 * @param pending about how many timers of the whole queue are scheduled
 * @param inFlight how many timers this node is delivering
 * @param shardsOwned from how many shards this node delivers
 * @param awaitingPermits how many timers that this node has read wait for a permit of a limit of the cluster
 */
public record QueueSample(
        String queue, Duration oldestDueAge, long pending, int inFlight, int shardsOwned, int awaitingPermits) {}
