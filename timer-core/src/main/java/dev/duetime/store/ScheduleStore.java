package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import java.util.List;
import java.util.OptionalInt;

/**
 * Keeps timers. Thread-safe. Every method but {@link #scheduleEach} is atomic and, but for {@link #in}, runs in a
 * transaction of its own; when a write returns it is durable. Every method throws {@link StoreException} if the store failed.
 *
 * <p>The testkit's {@code ScheduleStoreContract} tests each sentence here.
 */
@Beta
public interface ScheduleStore extends TimerWrites, DueStore, TimerCounts {

    /**
     * Returns a view that joins the caller's transaction: it neither commits, rolls back nor closes it.
     *
     * @throws IllegalArgumentException if the transaction is not of a kind that this store can join
     */
    TimerWrites in(Transaction transaction);

    /**
     * Does what {@link #scheduleShared} does for timers that need not stand or fall together: if it throws, any of them may
     * be stored. Stores for which it is not cheaper to commit them one by one store all or none.
     */
    default List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return scheduleShared(timers);
    }

    /**
     * Does what {@link #schedule} does for the timers of several callers, none of whom may wait for the rows of another one.
     *
     * @throws CollisionException if another transaction holds a row for longer than some tens of milliseconds; by default
     *     it waits as {@link #schedule} does
     */
    default List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return schedule(timers);
    }

    /**
     * Begins a transaction of the store's own, for work of several calls; the caller closes it.
     *
     * @throws StoreException if the store failed
     */
    OwnTransaction begin();

    /**
     * Returns how many transactions of {@link #begin} the handlers of a node may hold at the same time, at least 1, so that
     * its loops still find a connection; empty for any number, as by default. Asked once, when a handler first wants one.
     */
    default OptionalInt mostTransactions() {
        return OptionalInt.empty();
    }

    /**
     * Returns timers that match all given conditions, by tenant and timer in code point order, after {@code query.after()}.
     * A row that cannot be read is shown as {@link StoredTimer#unreadable} says; one in a state that is not known, as dead.
     */
    List<StoredTimer> query(TimerQuery query);

    /** Returns the ownership of this store's shards. */
    ShardLeases leases();

    /** Returns what an operator may do to this store's timers and queues. */
    StoreAdmin admin();
}
