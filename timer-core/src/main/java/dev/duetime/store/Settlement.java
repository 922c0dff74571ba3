package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a delivery, or of a merge. It is written only if key and generation still match a scheduled timer.
 * Immutable and thread-safe.
 */
@Beta
public sealed interface Settlement {

    /** Returns the timer. */
    TimerKey key();

    /** Returns the generation that was delivered. */
    long generation();

    /**
     * The end of a timer.
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

    /** The deletion of a timer that was delivered or expired, on a queue that keeps no ended timers. */
    record Deleted(TimerKey key, long generation) implements Settlement {}

    /**
     * A retry: the timer stays scheduled, to be delivered again.
     *
     * @param wakeAt when
     * @param attempt becomes the timer's
     * @param failure becomes the timer's; null to keep the one that it has
     */
    record Retried(
            TimerKey key,
            long generation,
            Instant wakeAt,
            int attempt,
            @Nullable Failure failure) implements Settlement {}

    /**
     * The move of a recurring timer to another occurrence. It stays scheduled, as a new generation without attempts
     * that wakes when it is due.
     *
     * @param nextGeneration the token that it gets; from {@code 0} to {@code 2^62 - 1}, never used before
     * @param dueAt becomes the timer's
     * @param expiresAt becomes the timer's
     * @param previousAt becomes the timer's
     * @param failure becomes the timer's
     */
    record Moved(
            TimerKey key,
            long generation,
            long nextGeneration,
            Instant dueAt,
            @Nullable Instant expiresAt,
            @Nullable Instant previousAt,
            @Nullable Failure failure)
            implements Settlement {}

    /**
     * The move of a todo to its next step. It stays scheduled, as a new generation, and is no longer started. Step, due
     * time, deadline, wake time, priority, attempt and failure become those of {@code next}. So does the payload, if
     * {@code withPayload} says so. Nothing else changes.
     *
     * @param generation the generation that was handled
     * @param next the todo after the move; its generation was never used before
     * @param withPayload whether the payload has changed
     */
    record Advanced(long generation, StoredTimer next, boolean withPayload) implements Settlement {
        @Override
        public TimerKey key() {
            return next.key();
        }
    }
}
