package dev.duetime;

import java.util.List;

/**
 * The user's code that delivers envelopes to wherever they belong. Each queue calls it from one
 * thread at a time. With a {@link QueueBuilder#concurrency} above 1 it is called by several threads at once, and must
 * be thread-safe.
 *
 * <p>Delivery is at least once: a crash, a lost reply or a node that has lost its shard can repeat an envelope, with
 * the same {@link Envelope#id()}.
 */
@FunctionalInterface
public interface Publisher {

    /**
     * Delivers the batch: higher priority first, then the oldest. Returning means that every envelope was accepted.
     *
     * @param batch at least one envelope, immutable
     * @throws PartialPublishException if the publisher knows which envelopes failed: each named envelope spends an
     *     attempt, also if all are named, and the others count as delivered
     * @throws Exception if the publisher does not know, or the receiver is away. The engine then publishes smaller
     *     parts to find the failing envelopes. If nothing gets through at all, it backs off without spending attempts.
     *     An {@link InterruptedException} ends the loop while the scheduler is being closed, and is such a failure at
     *     any other time
     */
    void publish(List<Envelope> batch) throws Exception;
}
