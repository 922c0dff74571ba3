package dev.duetime.admin;

import dev.duetime.QueueBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A limit that holds for the whole cluster, and which node uses how much of it, as stored in the database. Immutable
 * and thread-safe.
 *
 * @param queue the queue
 * @param name what is limited, as a text for people: {@code concurrency}, {@code rate}, {@code tenant rate}, or one of
 *     the first two {@code of type …}
 * @param shares the nodes that hold a part of the limit or wait for one, by name; empty while no node needs it
 */
public record LimitUse(String queue, String name, List<Share> shares) {

    /** Copies the shares. */
    public LimitUse {
        shares = List.copyOf(shares);
    }

    /**
     * The part of one node. Nodes divide a limit into units. A unit of a {@linkplain QueueBuilder#concurrencyLimit
     * concurrency limit} is one delivery at a time. A unit of a {@linkplain QueueBuilder#rateLimit rate} is a part of
     * the rate: who holds a tenth of the units may deliver at a tenth of the rate.
     *
     * @param nodeId the node
     * @param units how many units it holds
     * @param wanted how many it could use
     * @param total how many units the limit has, as this node is configured: the limit itself, or the burst of a rate
     * @param spacing the time between two deliveries at the whole rate, as this node is configured; zero if the limit
     *     is no rate
     * @param until when the share ends unless the node renews it
     */
    public record Share(String nodeId, int units, int wanted, int total, Duration spacing, Instant until) {}

    /** Returns how many units all nodes hold. */
    public int held() {
        return shares.stream().mapToInt(Share::units).sum();
    }

    /** Returns how many units all nodes could use. */
    public int wanted() {
        return shares.stream().mapToInt(Share::wanted).sum();
    }
}
