package dev.duetime.engine.operate;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * The operations on all timers that a query finds: revive, deliver now, reschedule, cancel and purge, at most {@code
 * query.limit()} timers at a time. Thread-safe.
 */
public interface BulkOperations {

    /**
     * Returns these operations with a check after each batch.
     *
     * @param goesOn receives how many timers of the batch were changed; false ends the operation
     */
    BulkOperations watched(IntPredicate goesOn);

    /** Schedules one dead timer again. Returns whether it was still dead with this generation. */
    boolean revive(TimerKey key, long generation);

    /** Schedules dead timers again. Returns how many. */
    long revive(TimerQuery query);

    /**
     * Makes a scheduled timer due now. Returns whether it was still scheduled for later with this generation.
     */
    boolean deliverNow(TimerKey key, long generation);

    /** Makes scheduled timers due now. Returns how many were scheduled for later. */
    long deliverNow(TimerQuery query);

    /**
     * Moves a scheduled timer, unless this node has it in delivery. Returns whether it was moved.
     */
    boolean reschedule(TimerKey key, long generation, Instant dueAt);

    /** Moves scheduled timers, except those that this node has in delivery. Returns how many were moved. */
    long reschedule(TimerQuery query, Instant dueAt);

    /**
     * Cancels scheduled timers, except those that this node has in delivery and that do not recur. Returns how many
     * were cancelled.
     *
     * @param cancelled receives the number of each batch in which some were cancelled
     */
    long cancel(TimerQuery query, IntConsumer cancelled);

    /** Deletes timers that ended before a time; dead ones only if the query asks for them. Returns how many. */
    long purge(TimerQuery query, Instant endedBefore);
}
