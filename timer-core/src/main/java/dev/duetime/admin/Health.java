package dev.duetime.admin;

import dev.duetime.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of this node. Immutable and thread-safe.
 *
 * @param nodeId the node's name
 * @param at when this was taken
 * @param running whether the node was started and not closed; a node that only schedules need not be started
 * @param leaseOutage the consecutive failures of the database to renew this node's leases; null if the last call
 *     succeeded
 * @param stuckSince since when a loop of this node has been late for its turn, or stuck in it, or has failed in each
 *     turn, for example because its thread ended; null if none has. Turns that call your code may take any time. A loop
 *     that failed counts as repaired once it has had shards for a minute and did not fail
 * @param queues the queues that this node delivers, in the order of their configuration
 */
public record Health(
        String nodeId,
        Instant at,
        boolean running,
        @Nullable OngoingOutage leaseOutage,
        @Nullable Instant stuckSince,
        List<QueueHealth> queues) {
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    /** Copies the queues. */
    public Health {
        queues = List.copyOf(queues);
    }

    /** Returns {@link #isHealthy(Duration)} for a minute. */
    public boolean isHealthy() {
        return isHealthy(TOLERANCE);
    }

    /**
     * Returns whether the node runs and nothing has prevented it from delivering for the given time or longer: not the
     * database (leases or polls), not a publisher that accepts nothing or does not return, and not a loop that has
     * stopped.
     *
     * <p>A paused queue, a backlog, dead timers and a node without shards are healthy, because a restart of the process
     * corrects none of them. Before you use this for a liveness probe, note that a restart does not end an outage
     * either.
     *
     * @throws IllegalArgumentException if {@code tolerance} is null or negative
     */
    public boolean isHealthy(Duration tolerance) {
        Instant limit = at.minus(Limits.duration("tolerance", tolerance, Duration.ZERO, Duration.ofDays(36_500)));
        return running
                && (leaseOutage == null || leaseOutage.since().isAfter(limit))
                && (stuckSince == null || stuckSince.isAfter(limit))
                && queues.stream().allMatch(queue -> queue.isHealthy(limit));
    }
}
