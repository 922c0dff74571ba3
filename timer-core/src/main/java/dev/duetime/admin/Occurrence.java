package dev.duetime.admin;

import dev.duetime.SchedulerBuilder;
import dev.duetime.TimerKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of one occurrence of a recurring timer; kept only with {@link SchedulerBuilder#occurrenceHistory}.
 * Immutable and thread-safe.
 *
 * @param key the timer
 * @param dueAt which occurrence
 * @param outcome how it ended
 * @param endedAt when it ended
 * @param attempts how many deliveries were tried
 * @param error the last failure, at most 1,000 characters; null if there was none
 */
public record Occurrence(
        TimerKey key,
        Instant dueAt,
        Outcome outcome,
        Instant endedAt,
        int attempts,
        @Nullable String error) {

    /** How an occurrence ended. */
    public enum Outcome {
        /** It was delivered. */
        DELIVERED,
        /** Its deadline passed before it was delivered. */
        EXPIRED,
        /** It failed for the last time. */
        DEAD,
        /** It was missed, and another one was delivered instead. */
        SKIPPED
    }

    /** Returns how long after its due time it ended. */
    public Duration lateness() {
        return Duration.between(dueAt, endedAt);
    }
}
