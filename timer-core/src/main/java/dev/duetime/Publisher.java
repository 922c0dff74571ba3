package dev.duetime;

import java.util.List;

/**
 * Delivers envelopes to wherever they belong; the user's own. Called by one thread per queue at a time.
 *
 * <p>Delivery is at least once: a crash, a lost reply or a node that has lost its shard can repeat an envelope, with the
 * same {@link Envelope#id()}.
 */
@FunctionalInterface
public interface Publisher {

    /**
     * Delivers the batch: higher priority first, then the oldest. Returning means that every envelope was accepted.
     *
     * @param batch at least one envelope, immutable
     * @throws PartialPublishException if some were accepted and it is known which failed
     * @throws Exception if nothing is known; the engine then finds out by publishing smaller parts, and where nothing
     *     gets through at all it backs off without spending attempts
     */
    void publish(List<Envelope> batch) throws Exception;
}
