package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on an envelope. Timer ids are of the default tenant. Not thread-safe. */
public final class EnvelopeAssert extends AbstractAssert<EnvelopeAssert, Envelope> {

    EnvelopeAssert(Envelope envelope) {
        super(envelope, EnvelopeAssert.class);
    }

    /** Verifies the key of the timer. */
    public EnvelopeAssert hasKey(String timerId) {
        return hasKey(TimerKey.of(timerId));
    }

    /** Verifies the key of the timer. */
    public EnvelopeAssert hasKey(TimerKey key) {
        isNotNull();
        return has("key", key, actual.key());
    }

    /** Verifies its id. */
    public EnvelopeAssert hasId(String id) {
        isNotNull();
        return has("id", id, actual.id());
    }

    /** Verifies the queue of the timer. */
    public EnvelopeAssert hasQueue(String queue) {
        isNotNull();
        return has("queue", queue, actual.queue());
    }

    /** Verifies the type that the timer was scheduled with. */
    public EnvelopeAssert hasType(String type) {
        isNotNull();
        return has("type", type, actual.type());
    }

    /** Verifies the number of the attempt, from 1. */
    public EnvelopeAssert hasAttempt(int attempt) {
        isNotNull();
        return has("attempt", attempt, actual.attempt());
    }

    /** Verifies when the timer was due. */
    public EnvelopeAssert wasDueAt(Instant dueAt) {
        isNotNull();
        return has("dueAt", dueAt, actual.event().dueAt());
    }

    /** Verifies when it was delivered, by the scheduler's clock. */
    public EnvelopeAssert wasReachedAt(Instant reachedAt) {
        isNotNull();
        return has("reachedAt", reachedAt, actual.event().reachedAt());
    }

    /** Verifies the correlation id; null for none. */
    public EnvelopeAssert hasCorrelationId(@Nullable String correlationId) {
        isNotNull();
        return has("correlationId", correlationId, actual.correlationId());
    }

    /** Verifies a header. */
    public EnvelopeAssert hasHeader(String name, String value) {
        isNotNull();
        return has("header " + name, value, actual.headers().get(name));
    }

    /**
     * Verifies the payload, decoded as the given type.
     *
     * @throws dev.duetime.PayloadException if there is no payload, or it is not of that type
     */
    public <T> EnvelopeAssert hasPayload(T expected, Class<T> type) {
        isNotNull();
        return has("payload", expected, actual.payload(type));
    }

    /** Verifies that there is no payload. */
    public EnvelopeAssert hasNoPayload() {
        isNotNull();
        int size = actual.event().payload().size();
        if (size > 0) {
            failWithMessage("Expected %s to have no payload but it had %s bytes", shown(actual), size);
        }
        return this;
    }

    private EnvelopeAssert has(String what, @Nullable Object expected, @Nullable Object found) {
        if (!Objects.deepEquals(expected, found)) {
            failWithMessage("Expected %s of %s to be <%s> but was <%s>", what, shown(actual), expected, found);
        }
        return this;
    }

    /** Returns the envelope as messages show it, without the payload. */
    static String shown(Envelope envelope) {
        return "%s (attempt %d at %s)"
                .formatted(envelope.key(), envelope.attempt(), envelope.event().reachedAt());
    }
}
