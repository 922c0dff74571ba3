package dev.duetime.engine.operate;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import java.time.Instant;
import java.util.function.IntConsumer;

/**
 * The operations on all timers that a query finds: revive, cancel and purge, {@code query.limit()} timers at a time.
 * Thread-safe.
 */
public interface BulkOperations {

    /** Schedules one dead timer again; returns whether it still was dead with this generation. */
    boolean revive(TimerKey key, long generation);

    /** Schedules dead timers again; returns how many. */
    long revive(TimerQuery query);

    /**
     * Cancels scheduled timers, but for those that this node has in delivery and do not recur; returns how many.
     *
     * @param told gets the number of each batch of which any were cancelled
     */
    long cancel(TimerQuery query, IntConsumer told);

    /** Deletes timers that ended before a time, dead ones only if the query asks for them; returns how many. */
    long purge(TimerQuery query, Instant endedBefore);
}
