package dev.duetime.engine.settings;

import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.engine.report.Listeners;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings that all queues of a node share.
 *
 * @param nodeId the identity of this process among the owners of shards
 * @param leaseDuration how long shards stay with a node that no longer renews its leases
 * @param closeTimeout how long {@code close} waits for deliveries
 * @param rules the limits and deadlines of timers, and the codec of their payloads
 * @param propagation adds the caller's context to headers
 * @param listeners the listeners of the node
 * @param hints whether it sends and reads hints
 * @param random the source of randomness; thread-safe
 * @param occurrenceHistory how long the outcomes of recurring timers are kept; null for not at all
 */
public record NodeSettings(
        NodeId nodeId,
        Duration leaseDuration,
        Duration closeTimeout,
        ContentRules rules,
        Propagation propagation,
        Listeners listeners,
        boolean hints,
        RandomGenerator random,
        @Nullable Duration occurrenceHistory) {

    /** Returns the codec of payloads. */
    public PayloadCodec codec() {
        return rules.codec();
    }

    /** Returns these settings with other listeners. */
    public NodeSettings with(Listeners others) {
        return new NodeSettings(
                nodeId, leaseDuration, closeTimeout, rules, propagation, others, hints, random, occurrenceHistory);
    }
}
