package dev.duetime.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Shows how this node's loop of one queue fares, as the loop itself last noted it: taking it asks the database nothing.
 * Immutable and thread-safe.
 *
 * @param queue the queue
 * @param ownedShards how many slices of it this node delivers from
 * @param inDelivery how many timers are in the publisher's hands, or accepted by it and not yet settled
 * @param lastPoll when the database last answered what is due; null if it never did, as on a node that owns no slice
 * @param oldestDue since when the oldest timer in this node's slices has been due; null if none was at the last poll. A
 *     retry counts from when it is to be made
 * @param turnSince since when the loop has been in its present turn, the publisher's time included; null while it waits
 * @param storeOutage the database's failures in a row; null if the last call succeeded
 * @param publisherOutage the publisher's failures in a row, in which nothing got through; null if something did
 * @param pause since when the queue is paused, as far as this node knows; null if it is not
 * @param noShards why this node has owned no slice for a minute or longer, for people; null if it owns one, or did lately
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
        @Nullable String noShards) {

    /** Returns how old the oldest due timer is at the given time: zero if there is none. */
    public Duration oldestDueAge(Instant at) {
        return oldestDue == null || oldestDue.isAfter(at) ? Duration.ZERO : Duration.between(oldestDue, at);
    }

    /** Returns whether nothing has been wrong since {@code limit} or longer; of a paused queue's publisher nothing is known. */
    boolean isHealthy(Instant limit) {
        return isAfter(limit, turnSince)
                && (storeOutage == null || isAfter(limit, storeOutage.since()))
                && (pause != null || publisherOutage == null || isAfter(limit, publisherOutage.since()));
    }

    private static boolean isAfter(Instant limit, @Nullable Instant since) {
        return since == null || since.isAfter(limit);
    }
}
