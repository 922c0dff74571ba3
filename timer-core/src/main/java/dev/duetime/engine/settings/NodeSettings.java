package dev.duetime.engine.settings;

import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.engine.report.Listeners;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The checked settings that all queues of a node share.
 *
 * @param nodeId the identity of this process among the owners of shards
 * @param leaseDuration how long shards stay with a node that no longer renews its leases
 * @param closeTimeout how long {@code close} waits for deliveries
 * @param rules the limits and deadlines of timers, and the codec of their payloads
 * @param propagation adds the caller's context to headers
 * @param listeners the listeners of the node
 * @param random the source of randomness; thread-safe
 */
public record NodeSettings(
        NodeId nodeId,
        Duration leaseDuration,
        Duration closeTimeout,
        ContentRules rules,
        Propagation propagation,
        Listeners listeners,
        RandomGenerator random) {

    /** Returns the codec of payloads. */
    public PayloadCodec codec() {
        return rules.codec();
    }

    /** Returns these settings with other listeners. */
    public NodeSettings with(Listeners others) {
        return new NodeSettings(nodeId, leaseDuration, closeTimeout, rules, propagation, others, random);
    }
}
