package dev.duetime.admin;

import dev.duetime.internal.Limits;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a queue: nothing of it is delivered, on any node, until it is resumed. Immutable and thread-safe.
 *
 * @param since when it was paused, in whole microseconds
 * @param nodeId the node on which the operator paused it
 * @param operator who paused it: see {@link TimerAdmin#by}; null if that is not known
 * @param reason why, as the operator wrote it; null if no reason was given
 */
public record QueuePause(
        Instant since,
        String nodeId,
        @Nullable String operator,
        @Nullable String reason) {

    /**
     * Checks the texts.
     *
     * @throws IllegalArgumentException if {@code operator} has more than 255 characters or {@code reason} more than
     *     1,000, or one is empty or contains control characters
     */
    public QueuePause {
        if (operator != null) {
            Limits.text("operator", operator, Limits.NAME_LENGTH);
        }
        if (reason != null) {
            Limits.text("reason", reason, Limits.REASON_LENGTH);
        }
    }

    /** Creates a pause of which neither operator nor reason is known. */
    public QueuePause(Instant since, String nodeId) {
        this(since, nodeId, null, null);
    }
}
