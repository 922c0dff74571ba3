package dev.duetime.engine.operate;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import java.time.Instant;
import java.util.function.IntConsumer;

/**
 * The operations on all timers that a query finds: revive, cancel and purge, at most {@code
 * query.limit()} timers at a time. Thread-safe.
 */
public interface BulkOperations {

    /** Schedules one dead timer again. Returns whether it was still dead with this generation. */
    boolean revive(TimerKey key, long generation);

    /** Schedules dead timers again. Returns how many. */
    long revive(TimerQuery query);

    /**
     * Cancels scheduled timers, except those that this node has in delivery and that do not recur. Returns how many
     * were cancelled.
     *
     * @param told receives the number of each batch in which some were cancelled
     */
    long cancel(TimerQuery query, IntConsumer told);

    /** Deletes timers that ended before a time; dead ones only if the query asks for them. Returns how many. */
    long purge(TimerQuery query, Instant endedBefore);
}
