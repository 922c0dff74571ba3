package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.TimerQuery;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a store for operators: it changes many timers at once, and keeps which queues are paused. Thread-safe.
 * Every method is atomic, runs in a transaction of its own and throws {@link StoreException} if the store failed.
 *
 * <p>What was read may have changed when it is written: each timer is written only where its generation still matches.
 */
@Beta
public interface StoreAdmin {

    /**
     * Returns how many timers match all given conditions but {@code after} and {@code limit}, by queue and state. One
     * in a state that is not known is counted as dead.
     */
    List<TimerCount> count(TimerQuery query);

    /**
     * Returns the timers that {@link TimerStore#query} does, without their content, so also those whose content cannot
     * be read; but none in an unknown state, because such rows must not be changed. A call looks at a bounded number of
     * timers, and returns the key after which the next call continues.
     *
     * @param endedBefore leaves out all but those with {@code settledAt < endedBefore}; null for no such condition
     */
    TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore);

    /**
     * Schedules dead timers again, each as a new generation without attempts that wakes at {@code now}, or when it is
     * due if that is later; one that is no longer dead with the same generation is passed over.
     *
     * @return how many were scheduled
     */
    int revive(List<Revival> revivals, Instant now);

    /**
     * Ends timers as {@code CANCELLED}; one that is no longer scheduled with the same generation is passed over.
     *
     * @param now becomes {@code settledAt}
     * @return how many were cancelled
     */
    int cancel(List<TimerVersion> timers, Instant now);

    /**
     * Deletes ended timers; one that has not ended, is in a state that is not known or no longer of the same generation
     * is passed over.
     *
     * @return how many were deleted
     */
    int delete(List<TimerVersion> timers);

    /**
     * Makes every {@link DueStore#nextDue} of the queue return the pause. A queue that is already paused keeps its
     * first pause. Nothing else changes in the store. The engine stops the delivery.
     *
     * @return whether it was not paused
     */
    boolean pause(String queue, QueuePause pause);

    /**
     * Ends the pause of the queue, if there is one.
     *
     * @return whether it was paused
     */
    boolean resume(String queue);
}
