package dev.duetime.internal.draft;

import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that a caller has set on a timer, in addition to its key: the inside of {@code Timer}. Exactly one of due
 * time, delay and recurrence is given. Immutable and thread-safe, if the payload is.
 *
 * @param queue the queue that it is delivered on
 * @param type the user's name for this kind of timer
 * @param dueAt when it is due
 * @param delay how long after it is scheduled it is due
 * @param recurrence when it is due again and again
 * @param expiresAt its deadline
 * @param validFor how long after its due time it is worth delivering
 * @param neverExpires whether it has no deadline, whatever the defaults
 * @param ownDeadline whether it does not inherit the deadline of the todo that schedules it
 * @param payload what it carries
 * @param headers what travels beside the payload
 * @param priority among due timers read together, higher goes first
 * @param correlationId the user's id of the conversation it belongs to
 * @param shardingKey what its shard is computed from first
 * @param parallelKey what its shard is computed from if it has no sharding key
 * @param correlationKey timers of one such key in a queue may be merged
 * @param step where a todo begins; null for a timer
 * @param rearm whether a key that has ended is scheduled again
 */
public record TimerDraft(
        String queue,
        String type,
        @Nullable Instant dueAt,
        @Nullable Duration delay,
        @Nullable Recurrence recurrence,
        @Nullable Instant expiresAt,
        @Nullable Duration validFor,
        boolean neverExpires,
        boolean ownDeadline,
        @Nullable Object payload,
        Map<String, String> headers,
        int priority,
        @Nullable String correlationId,
        @Nullable String shardingKey,
        @Nullable String parallelKey,
        @Nullable String correlationKey,
        @Nullable String step,
        boolean rearm) {

    /** Copies the headers. */
    public TimerDraft {
        headers = Map.copyOf(headers);
    }

    /** Returns what the timer's shard is computed from; null if from its own key. */
    public @Nullable String routingKey() {
        return shardingKey != null ? shardingKey : parallelKey;
    }
}
