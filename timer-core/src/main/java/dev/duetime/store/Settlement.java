package dev.duetime.store;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Is the outcome of a delivery; it is written down only where key and generation still match a scheduled timer. Immutable
 * and thread-safe.
 */
public sealed interface Settlement {

    /** Returns the timer. */
    TimerKey key();

    /** Returns the generation that was delivered. */
    long generation();

    /**
     * Ends the timer.
     *
     * @param state a terminal one
     * @param at becomes {@code settledAt}
     * @param attempt becomes the timer's
     * @param failure becomes the timer's
     */
    record Ended(
            TimerKey key,
            long generation,
            TimerState state,
            Instant at,
            int attempt,
            @Nullable Failure failure) implements Settlement {}

    /** Deletes the timer: it was delivered or expired, and its queue keeps nothing. */
    record Deleted(TimerKey key, long generation) implements Settlement {}

    /**
     * Leaves the timer scheduled, to be delivered again.
     *
     * @param wakeAt when
     * @param attempt becomes the timer's
     * @param failure becomes the timer's
     */
    record Retried(
            TimerKey key,
            long generation,
            Instant wakeAt,
            int attempt,
            @Nullable Failure failure) implements Settlement {}
}
