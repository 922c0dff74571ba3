package dev.duetime;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event that a timer's time has come. Immutable and thread-safe.
 *
 * @param key the key of the timer
 * @param type the user's name for this kind of timer, as scheduled
 * @param dueAt when it was due
 * @param reachedAt when it was delivered, by the scheduler's clock; never before {@code dueAt}
 * @param expiresAt the deadline: the last instant at which handling it is worth it; null if there is none. Consumers
 *     can carry it on
 * @param previous the due time of the last delivered occurrence of a recurring timer; null if there was none
 * @param correlationId the user's id of the conversation it belongs to, as scheduled
 * @param payload what it carries; {@link Payload#NONE} if nothing
 */
public record DueTimeReached(
        TimerKey key,
        String type,
        Instant dueAt,
        Instant reachedAt,
        @Nullable Instant expiresAt,
        @Nullable Instant previous,
        @Nullable String correlationId,
        Payload payload) {

    /** Creates an event without a deadline. */
    public DueTimeReached(
            TimerKey key,
            String type,
            Instant dueAt,
            Instant reachedAt,
            @Nullable Instant previous,
            @Nullable String correlationId,
            Payload payload) {
        this(key, type, dueAt, reachedAt, null, previous, correlationId, payload);
    }

    /** Returns the time of delivery minus the due time. */
    public Duration lateness() {
        return Duration.between(dueAt, reachedAt);
    }

    /**
     * Returns the event as one line of JSON, in the form that {@link Envelope#toJson()} documents, without the fields
     * of the delivery.
     */
    public String toJson() {
        return EnvelopeJson.write(this);
    }

    /**
     * Reads the JSON form back; unknown fields are ignored, so an envelope's JSON is read too.
     *
     * @throws MalformedMessageException if it is not JSON, or a field is missing or malformed
     */
    public static DueTimeReached fromJson(String json) {
        return EnvelopeJson.readEvent(json);
    }
}
