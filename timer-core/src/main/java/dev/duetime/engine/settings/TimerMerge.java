package dev.duetime.engine.settings;

import dev.duetime.StoredTimer;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The merge of a timer that is scheduled while another one of its correlation key waits in its queue. Called inside the
 * transaction that stores the timer, one call at a time for a key. It does no input or output, is quick and
 * thread-safe. If it throws, nothing is stored. Users write the typed form, a {@link dev.duetime.todo.Merge}.
 */
@FunctionalInterface
public interface TimerMerge {
    /**
     * Decides about both timers.
     *
     * @param waiting the latest timer that is scheduled and not running
     * @param arriving the new timer, as it would be stored
     */
    Decision merge(StoredTimer waiting, StoredTimer arriving);

    /** The decision about the waiting and the arriving todo. */
    sealed interface Decision {
        /** The decision to keep both todos. */
        record Insert() implements Decision {}

        /** The decision to keep the waiting todo unchanged, and to drop the arriving one. */
        record Drop() implements Decision {}

        /**
         * The decision to keep the waiting todo with these values, and to drop the arriving one.
         *
         * @param dueAt when it is due, rounded up to whole microseconds
         * @param expiresAt the last instant at which it is worth delivering, rounded down; null for ever
         * @param priority its priority
         * @param payload encoded by the scheduler's codec, but for a {@link dev.duetime.Payload}
         */
        record Keep(Instant dueAt, @Nullable Instant expiresAt, int priority, Object payload) implements Decision {
            /**
             * Checks the times.
             *
             * @throws IllegalArgumentException if one is out of range, or the deadline is before the due time
             */
            public Keep {
                dueAt = Micros.ceil(Limits.instant("dueAt", dueAt));
                expiresAt = expiresAt == null ? null : Micros.floor(Limits.instant("expiresAt", expiresAt));
                if (expiresAt != null && expiresAt.isBefore(dueAt)) {
                    throw new LimitException(
                            "expiresAt",
                            "expiresAt must not be before dueAt %s but was %s".formatted(dueAt, expiresAt));
                }
            }
        }
    }
}
