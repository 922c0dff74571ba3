package dev.duetime.engine;

import dev.duetime.PayloadCodec;
import dev.duetime.TimerListener;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Holds the settings that all queues of a node share, checked.
 *
 * @param nodeId this process among the owners of shards
 * @param leaseDuration how long shards stay with a node that is heard of no more
 * @param closeTimeout how long {@code close} waits for deliveries
 * @param codec what reads payloads
 * @param listener who is told what becomes of timers
 * @param random where chance comes from; thread-safe
 */
public record NodeSettings(
        NodeId nodeId,
        Duration leaseDuration,
        Duration closeTimeout,
        PayloadCodec codec,
        TimerListener listener,
        RandomGenerator random) {}
