package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The part of a store that also works inside a transaction of the caller's. Thread-safe; inside a transaction, as
 * thread-safe as that.
 */
@Beta
public interface TimerWrites {

    /**
     * Stores all timers or none, as if one after the other in the given order, and returns what each one did, by the
     * rules of {@link ScheduleDecision}.
     *
     * @throws RefusedException if the store refused to write one of them
     * @throws StoreException if the store failed
     */
    List<ScheduleResult> schedule(List<NewTimer> timers);

    /**
     * Ends a scheduled timer as {@code CANCELLED}; one that has ended is left as it is, as is one of the generation in
     * delivery that does not recur.
     *
     * @param now becomes {@code settledAt}
     * @param inDelivery the generation of this key that the caller's node is delivering, for which it is too late
     * @throws StoreException if the store failed
     */
    CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery);

    /** Cancels where nothing is in delivery. */
    default CancelResult cancel(TimerKey key, Instant now) {
        return cancel(key, now, OptionalLong.empty());
    }

    /**
     * Returns the timer with this key, in any state; a row that cannot be read as {@link TimerStore#query} does.
     *
     * @throws StoreException if the store failed
     */
    Optional<StoredTimer> find(TimerKey key);

    /**
     * Writes outcomes, all or none. An outcome is skipped if its timer is no longer scheduled with the same generation.
     *
     * @return how many were written
     * @throws LockedException if another transaction holds a row of these; in a transaction of the caller's the store
     *     may wait as long as that does
     * @throws RefusedException if the store refused to write one of them
     * @throws DoubtfulException if it is not known whether the store refused one of them or cannot write at all
     * @throws StoreException if the store failed
     */
    int settle(List<Settlement> settlements);

    /**
     * Does what {@link #settle} does, but leaves out outcomes whose rows other transactions hold. A store in which
     * {@link #settle} never meets such a row need not know more than that.
     */
    default Settled settleUnlocked(List<Settlement> settlements) {
        return new Settled(settle(settlements), List.of());
    }

    /**
     * Runs an action after the commit of the caller's transaction, if what manages the transaction tells of it. The
     * action is short and calls no store. It is not run after a rollback.
     *
     * @return whether it tells; false by default, and then the action is not run
     */
    default boolean afterCommit(Runnable action) {
        return false;
    }

    /** Returns what may be merged, locked and read in the same transactions as the timers. */
    Correlated correlated();

    /** Returns the items of to-do lists, written and read in the same transactions as the timers. */
    ListStore todos();
}
