package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import java.util.List;

/**
 * The part of a store that callers work with: they schedule, cancel, find and query, alone or in a transaction.
 * Thread-safe.
 *
 * <p>Every method except {@link #scheduleEach} is atomic. Every method except {@link #in} runs in a transaction of its
 * own. When a write returns, it is durable. Every method throws {@link StoreException} if the store failed.
 */
@Beta
public interface TimerStore extends TimerWrites {

    /**
     * Returns a view that joins the caller's transaction: it neither commits, rolls back nor closes it.
     *
     * @throws IllegalArgumentException if the transaction is not of a kind that this store can join
     */
    TimerWrites in(Transaction transaction);

    /**
     * Schedules as {@link #scheduleShared} does, for timers that need not be stored together. If it throws, any of them
     * may be stored. A store for which single commits are not cheaper stores all or none.
     */
    default List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return scheduleShared(timers);
    }

    /**
     * Does what {@link #schedule} does for the timers of several callers. None of them may wait for the rows of another
     * one.
     *
     * @throws CollisionException if another transaction holds a row for longer than some tens of milliseconds; by
     *     default it waits as {@link #schedule} does
     */
    default List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return schedule(timers);
    }

    /**
     * Begins a transaction of the store's own, for work of several calls. The caller closes it.
     *
     * @throws StoreException if the store failed
     */
    OwnTransaction begin();

    /**
     * Returns timers that match all given conditions, by tenant and timer in code point order, after {@code
     * query.after()}. A row that cannot be read is shown as {@link StoredTimer#unreadable} says; one in a state that is
     * not known, as dead.
     */
    List<StoredTimer> query(TimerQuery query);

    /** Returns what an operator may do to this store's timers and queues. */
    StoreAdmin admin();
}
