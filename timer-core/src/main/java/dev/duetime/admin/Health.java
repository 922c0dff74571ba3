package dev.duetime.admin;

import dev.duetime.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows how this node fares. Immutable and thread-safe.
 *
 * @param nodeId this node's name
 * @param at when this was taken
 * @param running whether the node was started and not closed; one that only schedules need not be started
 * @param leaseOutage the database's failures in a row to renew this node's leases; null if the last call succeeded
 * @param stuckSince since when a loop of this node has been late for its turn, or has not come to the end of it, such
 * as one
 *     whose thread has ended; null if none has. Turns that call your code may take as long as they like
 * @param queues the queues that this node delivers, in the order of their set-up
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
     * Returns whether the node runs and nothing has kept it from delivering for the given time or longer: neither the
     * database (leases or polls), nor a publisher that lets nothing through, nor one that does not return, nor a loop
     * that has stopped.
     *
     * <p>A paused queue, a backlog, dead timers and a node without shards are healthy: restarting the process mends
     * none of them. For a liveness probe, mind that a restart mends no outage either.
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
