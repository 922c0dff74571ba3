package dev.duetime;

import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a timer: everything except its key. An accepted schedule stores it. A repeat with the same content is
 * {@link ScheduleOutcome#UNCHANGED}. Trace headers are not compared. Of a recurring timer's due time and deadline only
 * the time between them is compared. Immutable and thread-safe.
 *
 * @param queue where it is delivered
 * @param dueAt when, in whole microseconds; if it recurs, its current occurrence
 * @param expiresAt the last instant at which delivery is still worth it, in whole microseconds; null for ever
 * @param type the user's name for this kind of timer
 * @param payload what it carries
 * @param headers what travels beside the payload
 * @param priority among due timers read together, higher goes first
 * @param correlationId the user's id of the conversation it belongs to
 * @param parallelKey timers of one such key lie in one shard; null if it lies where its own key says
 * @param correlationKey timers of one such key in a queue may be {@linkplain dev.duetime.todo.Merge merged}; null if
 *     this one is never merged
 * @param recurrence the text of its {@link Recurrence}, without how it catches up; null for once
 * @param catchUp what becomes of its missed occurrences, {@link CatchUp#LATEST} if it recurs and null is given; null
 *     for once
 * @param step the step at which a todo begins; null for a timer. A scheduled todo is never replaced: a repeat of its
 * key
 *     is {@link ScheduleOutcome#UNCHANGED}, whatever its content
 */
public record TimerContent(
        String queue,
        Instant dueAt,
        @Nullable Instant expiresAt,
        String type,
        Payload payload,
        Map<String, String> headers,
        int priority,
        @Nullable String correlationId,
        @Nullable String parallelKey,
        @Nullable String correlationKey,
        @Nullable String recurrence,
        @Nullable CatchUp catchUp,
        @Nullable String step) {

    /** Copies the headers. */
    public TimerContent {
        headers = Map.copyOf(headers);
        if (recurrence == null) {
            catchUp = null;
        } else if (catchUp == null) {
            catchUp = CatchUp.LATEST;
        }
    }
}
