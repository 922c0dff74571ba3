package dev.duetime.listener;

import dev.duetime.admin.TimerAdmin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One call of a {@link TimerAdmin} that changed something. Immutable and thread-safe.
 *
 * @param operator who called: see {@link TimerAdmin#by}; null if that is not known
 * @param kind what the operator did
 * @param subject what it was done to: a timer, a queue, or the conditions of a query, as a text for people
 * @param timers how many timers were changed; 0 for a pause or a resume. If the call failed, how many the batches
 *     before the failure changed
 * @param failed whether the call threw an exception. Then the batches before it stay. If the reply to a commit was
 *     lost, the last batch stays as well, and is not counted
 * @param at when the call ended
 */
public record OperatorAction(
        @Nullable String operator, Kind kind, String subject, long timers, boolean failed, Instant at) {

    /** A kind of operation. */
    public enum Kind {
        /** Dead timers were scheduled again. */
        REVIVE,
        /** Scheduled timers were made due. */
        DELIVER,
        /** Scheduled timers were moved to another due time. */
        RESCHEDULE,
        /** Scheduled timers were cancelled. */
        CANCEL,
        /** Ended timers were deleted. */
        PURGE,
        /** A queue was paused. */
        PAUSE,
        /** A queue was resumed. */
        RESUME
    }
}
