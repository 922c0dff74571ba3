package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.TimerQuery;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
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
     * Returns how many of these timers, from the first one on, one of the calls below should change. By default it is
     * all of them. A store returns fewer, but at least one, if it keeps what a transaction writes in the memory of this
     * process and the timers are large.
     *
     * @param timers at least one
     */
    default int changedAtOnce(List<TimerVersion> timers) {
        return timers.size();
    }

    /**
     * Schedules dead timers again, each as a new generation without attempts that wakes at {@code now}, or when it is
     * due if that is later; one that is no longer dead with the same generation is skipped.
     *
     * @return how many were scheduled
     */
    int revive(List<Revival> revivals, Instant now);

    /**
     * Makes scheduled timers due now: each is a new generation without attempts that wakes at {@code now}, with a due
     * time that is not later. Its revision grows, as by a reschedule; nothing else changes. One that wakes at {@code
     * now} or before, that recurs and is due later than {@code now}, or that is no longer scheduled with the same
     * generation is skipped.
     *
     * @return how many are due now and were not before
     */
    int deliverNow(List<Revival> timers, Instant now);

    /**
     * Moves scheduled timers to another due time, at which they also wake. Each is a new generation without attempts,
     * and its revision grows; nothing else changes. One that is there already, that recurs, that has {@linkplain
     * DueStore#start started}, whose deadline is before {@code dueAt}, or that is no longer scheduled with the same
     * generation is skipped.
     *
     * @return how many were moved
     */
    int reschedule(List<Revival> timers, Instant dueAt);

    /**
     * Ends timers as {@code CANCELLED}; one that is no longer scheduled with the same generation is skipped.
     *
     * @param now becomes {@code settledAt}
     * @return how many were cancelled
     */
    int cancel(List<TimerVersion> timers, Instant now);

    /**
     * Deletes ended timers; one that has not ended, is in a state that is not known or no longer of the same generation
     * is skipped.
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

    /** Keeps what a node delivered, in the place of its earlier sample of the queue; does nothing by default. */
    default void putSamples(List<NodeSample> samples) {
        // A store without samples shows none.
    }

    /** Returns all samples that are kept, by queue and node; none by default. */
    default List<NodeSample> samples() {
        return List.of();
    }

    /** Deletes the samples that were taken before a time; does nothing by default. */
    default void forgetSamples(Instant before) {
        // A store without samples has none to delete.
    }

    /**
     * Keeps what became of occurrences, in the place of an earlier outcome of the same occurrence; does nothing by
     * default.
     */
    default void putOccurrences(List<Occurrence> occurrences) {
        // A store without a history shows none.
    }

    /**
     * Deletes occurrences that ended before a time, those that ended first first; none by default.
     *
     * @param limit how many at most
     * @return how many were deleted; fewer than {@code limit} if none is left
     */
    default int forgetOccurrences(Instant before, int limit) {
        return 0;
    }

    /**
     * Returns these operations with writes that wait only briefly for rows which another transaction holds, and then
     * throw a {@link CollisionException}. By default they wait as long as those of this object.
     */
    default StoreAdmin brief() {
        return this;
    }

    /** Returns the reads for pages of operators. Queues that were never opened have no timers there. */
    TimerViews views();
}
