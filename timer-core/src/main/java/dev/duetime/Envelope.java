package dev.duetime;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message that a {@link Publisher} gets for one due timer: the event, and what a broker needs in addition.
 * Immutable and thread-safe.
 *
 * @param id the same for every repeat of one generation, so that a broker or an inbox table can drop duplicates;
 *     another generation has another id
 * @param queue the queue it was scheduled on
 * @param attempt the number of this delivery attempt, from 1
 * @param priority as scheduled
 * @param headers as scheduled
 * @param parallelKey as scheduled; null if there is none. Envelopes of one such key are published in order, so it is
 *     the key of a record in Kafka, or the group of a message in SQS FIFO
 * @param event what happened
 */
public record Envelope(
        String id,
        String queue,
        int attempt,
        int priority,
        Map<String, String> headers,
        @Nullable String parallelKey,
        DueTimeReached event) {

    /** Copies the headers. */
    public Envelope {
        headers = Map.copyOf(headers);
    }

    /** Creates an envelope without a parallel key. */
    public Envelope(
            String id, String queue, int attempt, int priority, Map<String, String> headers, DueTimeReached event) {
        this(id, queue, attempt, priority, headers, null, event);
    }

    /** Returns the timer's key. */
    public TimerKey key() {
        return event.key();
    }

    /** Returns the user's name for this kind of timer. */
    public String type() {
        return event.type();
    }

    /** Returns the deadline of the timer; null if there is none. */
    public @Nullable Instant expiresAt() {
        return event.expiresAt();
    }

    /** Returns the user's id of the conversation, if one was scheduled. */
    public @Nullable String correlationId() {
        return event.correlationId();
    }

    /**
     * Returns the payload as an object.
     *
     * @throws PayloadException if there is none, or it is not such an object
     */
    public <T> T payload(Class<T> type) {
        return event.payload().as(type);
    }

    /**
     * Returns the envelope as one line of JSON:
     *
     * <pre>{@code
     * {"id":"5d0c…","event":"DueTimeReached","tenantId":"acme","timerId":"order-17","type":"payment-timeout",
     *  "dueAt":"2026-11-21T10:15:00Z","reachedAt":"2026-11-21T10:15:00.001204Z","correlationId":"c-1",
     *  "queue":"default","attempt":1,"priority":0,"headers":{"traceparent":"…"},"payload":{"orderId":17}}
     * }</pre>
     *
     * Times are ISO-8601 in UTC. {@code expiresAt}, {@code correlationId}, {@code headers}, {@code parallelKey} and
     * {@code payload} are absent where there is none. A payload that is JSON is included as it is, also {@code null}.
     * Only white space around it is removed, and line breaks become spaces. Other payloads are in {@code
     * payloadBase64}. So is JSON with more than 499 levels, numbers of more than 1,000 digits or names of more than
     * 50,000 characters, and JSON with such white space that another codec than {@link JacksonCodec} wrote.
     */
    public String toJson() {
        return EnvelopeJson.write(this);
    }

    /**
     * Reads the JSON form back; unknown fields are ignored.
     *
     * @throws MalformedMessageException if it is not JSON, or a field is missing or malformed; never anything else
     */
    public static Envelope fromJson(String json) {
        return EnvelopeJson.read(json);
    }
}
