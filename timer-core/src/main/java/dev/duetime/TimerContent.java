package dev.duetime;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is all that a timer says, beside its key: what is stored by an accepted schedule and compared by a repeat: two
 * contents that {@linkplain #saysTheSameAs say the same} make the second schedule {@link ScheduleOutcome#UNCHANGED}.
 * Immutable and thread-safe.
 *
 * @param queue where it is delivered
 * @param dueAt when, in whole microseconds
 * @param expiresAt the last instant at which delivery is still worth it, in whole microseconds; null for ever
 * @param type the user's name for this kind of timer
 * @param payload what it carries
 * @param headers what travels beside the payload
 * @param priority among due timers read together, higher goes first
 * @param correlationId the user's id of the conversation it belongs to
 * @param parallelKey stored and compared, not acted on yet; null from {@link Timer}
 * @param correlationKey stored and compared, not acted on yet; null from {@link Timer}
 * @param recurrence stored and compared, not acted on yet; null from {@link Timer}
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
        @Nullable String recurrence) {

    /** Copies the headers. */
    public TimerContent {
        headers = Map.copyOf(headers);
    }

    /** Returns whether both are equal but for {@linkplain TraceHeaders trace headers}. */
    public boolean saysTheSameAs(TimerContent other) {
        return equals(other) || withoutTrace().equals(other.withoutTrace());
    }

    private TimerContent withoutTrace() {
        return with(payload, TraceHeaders.without(headers));
    }

    /** Returns this content with another payload. */
    public TimerContent withPayload(Payload other) {
        return with(other, headers);
    }

    /**
     * Returns this content with the given headers, where it has none of the same name.
     *
     * @throws IllegalArgumentException if a name or value is out of the bounds of {@link Timer.Builder#header}, or there
     *     are more than 64 headers then
     */
    public TimerContent withMoreHeaders(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.forEach(Limits::header);
        all.putAll(headers);
        Limits.number("number of headers", all.size(), 0, Limits.HEADERS);
        return with(payload, all);
    }

    private TimerContent with(Payload otherPayload, Map<String, String> otherHeaders) {
        return new TimerContent(
                queue,
                dueAt,
                expiresAt,
                type,
                otherPayload,
                otherHeaders,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence);
    }
}
