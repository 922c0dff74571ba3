package dev.duetime.engine.settings;

import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.engine.report.Listeners;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The checked settings that all queues of a node share.
 *
 * @param nodeId this process among the owners of shards
 * @param leaseDuration how long shards stay with a node that is heard of no more
 * @param closeTimeout how long {@code close} waits for deliveries
 * @param rules the limits and deadlines of timers, and the codec of their payloads
 * @param propagation what adds the caller's context to headers
 * @param listeners who are told what happens
 * @param random where chance comes from; thread-safe
 */
public record NodeSettings(
        NodeId nodeId,
        Duration leaseDuration,
        Duration closeTimeout,
        ContentRules rules,
        Propagation propagation,
        Listeners listeners,
        RandomGenerator random) {

    /** Returns what reads and writes payloads. */
    public PayloadCodec codec() {
        return rules.codec();
    }

    /** Returns these settings with other listeners. */
    public NodeSettings with(Listeners others) {
        return new NodeSettings(nodeId, leaseDuration, closeTimeout, rules, propagation, others, random);
    }
}
