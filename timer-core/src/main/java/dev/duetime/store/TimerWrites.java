package dev.duetime.store;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Is the part of a store that also works inside a transaction of the caller's. */
public interface TimerWrites {

    /**
     * Stores all timers or none, as if one after the other in the given order, and tells truthfully what each did, by the
     * rules of {@link ScheduleDecision}.
     *
     * @throws StoreException if the store failed
     */
    List<ScheduleResult> schedule(List<NewTimer> timers);

    /**
     * Ends a scheduled timer as {@code CANCELLED}; another one is left as it is.
     *
     * @param now becomes {@code settledAt}
     * @throws StoreException if the store failed
     */
    CancelResult cancel(TimerKey key, Instant now);

    /**
     * Returns the timer with this key, in any state.
     *
     * @throws StoreException if the store failed
     */
    Optional<StoredTimer> find(TimerKey key);
}
