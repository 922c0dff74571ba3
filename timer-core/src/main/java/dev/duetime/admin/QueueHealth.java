package dev.duetime.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of this node's loop for one queue, as the loop last noted it. Taking it does not query the database.
 * Immutable and thread-safe.
 *
 * @param queue the queue
 * @param ownedShards from how many shards of the queue this node delivers
 * @param inDelivery how many timers the publisher has, or has accepted and are not yet settled
 * @param lastPoll when the database last answered what is due; null if it never did, for example on a node that owns no
 *     shard
 * @param oldestDue since when the oldest timer in this node's shards has been due, also one that waits for a permit or
 *     is in delivery; null if none was, as far as the loop knows. A timer that has ended may be shown for about two
 *     polling intervals longer. A retry counts from the time at which it is due
 * @param turnSince since when the loop has been in its current turn, including the publisher's time, or since when the
 *     oldest call of the publisher that runs beside the loop has lasted; null while there is neither
 * @param storeOutage the consecutive failures of the database; null if the last call succeeded
 * @param publisherOutage the consecutive failures of the publisher during which nothing got through; null if something
 *     did
 * @param pause since when the queue is paused, as far as this node knows; null if it is not
 * @param noShards why this node has owned no shard for a minute or longer, as a text for people; null if it owns one,
 *     or did recently
 * @param permitWait the timers that wait for a permit of a limit of the cluster; null if none do
 */
public record QueueHealth(
        String queue,
        int ownedShards,
        int inDelivery,
        @Nullable Instant lastPoll,
        @Nullable Instant oldestDue,
        @Nullable Instant turnSince,
        @Nullable OngoingOutage storeOutage,
        @Nullable OngoingOutage publisherOutage,
        @Nullable QueuePause pause,
        @Nullable String noShards,
        @Nullable PermitWait permitWait) {

    /**
     * Timers that wait for a permit of a limit; that is no problem of health.
     *
     * @param limit the limit for which most timers wait, as a text for people
     * @param since since when some have waited
     * @param timers how many wait, of those that this node has read in the last two seconds; more may wait
     */
    public record PermitWait(String limit, Instant since, int timers) {}

    /** Returns the age of the oldest due timer at the given time; zero if there is none. */
    public Duration oldestDueAge(Instant at) {
        return oldestDue == null || oldestDue.isAfter(at) ? Duration.ZERO : Duration.between(oldestDue, at);
    }

    /**
     * Returns whether no problem has lasted since {@code limit} or longer. The publisher of a paused queue is not
     * judged.
     */
    boolean isHealthy(Instant limit) {
        return isAfter(limit, turnSince)
                && (storeOutage == null || isAfter(limit, storeOutage.since()))
                && (pause != null || publisherOutage == null || isAfter(limit, publisherOutage.since()));
    }

    private static boolean isAfter(Instant limit, @Nullable Instant since) {
        return since == null || since.isAfter(limit);
    }
}
