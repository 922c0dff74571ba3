package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A todo as its handler sees it, or as a {@link Merge} does. Immutable and thread-safe, if the payload is.
 *
 * @param key its name, the idempotency key of enqueueing
 * @param type the type with which it was enqueued
 * @param payload what it carries
 * @param step its current step
 * @param startAt its start date
 * @param expiresAt the last instant at which it is still worth running; null for ever
 * @param priority among todos that may run, higher goes first
 * @param parallelKey todos of one such key run one at a time, if the queue says so; null if it runs beside any other
 * @param correlationKey todos of one such key may be merged; null if this one is never merged
 * @param correlationId the user's id of the conversation it belongs to
 * @param headers what travels beside the payload
 * @param attempts how many attempts at this step have failed
 * @param createdAt when it was enqueued
 * @param <T> the type of payloads
 */
@Beta
public record Todo<T>(
        TimerKey key,
        String type,
        T payload,
        String step,
        Instant startAt,
        @Nullable Instant expiresAt,
        int priority,
        @Nullable String parallelKey,
        @Nullable String correlationKey,
        @Nullable String correlationId,
        Map<String, String> headers,
        int attempts,
        Instant createdAt) {

    /** Returns its id: the second part of its key. */
    public String id() {
        return key.timerId();
    }

    /** Returns this todo with another payload. */
    public Todo<T> withPayload(T other) {
        return with(other, startAt, expiresAt, priority);
    }

    /** Returns this todo with another start date. */
    public Todo<T> withStartAt(Instant other) {
        return with(payload, other, expiresAt, priority);
    }

    /** Returns this todo with another deadline, null for none. */
    public Todo<T> withExpiresAt(@Nullable Instant other) {
        return with(payload, startAt, other, priority);
    }

    /** Returns this todo with another priority. */
    public Todo<T> withPriority(int other) {
        return with(payload, startAt, expiresAt, other);
    }

    private Todo<T> with(T newPayload, Instant newStart, @Nullable Instant newExpiry, int newPriority) {
        return new Todo<>(
                key,
                type,
                newPayload,
                step,
                newStart,
                newExpiry,
                newPriority,
                parallelKey,
                correlationKey,
                correlationId,
                headers,
                attempts,
                createdAt);
    }

    /** Returns the key, type and step, never the payload. */
    @Override
    public String toString() {
        return "Todo[%s, type %s, step %s]".formatted(key, type, step);
    }
}
