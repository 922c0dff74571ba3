package dev.duetime;

import dev.duetime.internal.ErrorClass;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A timer as the database holds it. Immutable and thread-safe.
 *
 * @param key its name
 * @param shard the slice of its queue that it lies in
 * @param content what was scheduled
 * @param state its present state
 * @param generation the token of the present schedule
 * @param attempt how many deliveries were tried and counted
 * @param wakeAt when the engine reads it next: the due time, or the time of a retry; null once it has ended
 * @param registeredAt when the schedule that stands was accepted
 * @param settledAt when it ended; null while it is scheduled
 * @param previousAt when the occurrence was due that was delivered last; null if none was, or if it does not recur
 * @param failure the failures so far; null if there was none
 */
public record StoredTimer(
        TimerKey key,
        int shard,
        TimerContent content,
        TimerState state,
        long generation,
        int attempt,
        @Nullable Instant wakeAt,
        Instant registeredAt,
        @Nullable Instant settledAt,
        @Nullable Instant previousAt,
        @Nullable Failure failure) {

    /**
     * The reason why deliveries of a timer failed.
     *
     * @param error class and message of the last failure, at most 1,000 characters
     * @param firstAt when the first one happened
     * @param lastAt when the last one happened
     */
    public record Failure(String error, Instant firstAt, Instant lastAt) {
        private static final int ERROR_CHARACTERS = 1_000;

        /** Shortens the error to the length that every database keeps, and replaces what not all of them can store. */
        public Failure {
            error = storable(error);
        }

        /**
         * Returns the error up to its first colon, at most 255 characters: the class of the exception, or else a short
         * text such as {@code given up}.
         */
        public String errorClass() {
            return ErrorClass.of(error);
        }

        private static String storable(String error) {
            StringBuilder kept = new StringBuilder();
            error.codePoints().limit(ERROR_CHARACTERS).forEach(point -> {
                boolean refused = point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
                kept.appendCodePoint(refused ? '?' : point);
            });
            return kept.toString();
        }
    }

    /** Returns when it is due. */
    public Instant dueAt() {
        return content.dueAt();
    }

    /** Returns the id that every delivery of this generation carries. */
    public String envelopeId() {
        return key.envelopeId(generation);
    }

    /** Returns whether its deadline has passed: {@code now > expiresAt}. Never true without a deadline. */
    public boolean isExpired(Instant now) {
        Instant expiresAt = content.expiresAt();
        return expiresAt != null && now.isAfter(expiresAt);
    }

    /**
     * Returns the form in which a row is shown that cannot be read completely: no payload, no headers, and a failure
     * that begins with {@code cannot be read: }. Such a timer is not delivered; it can be cancelled and scheduled anew.
     *
     * @param reason what is wrong, without the content
     */
    public StoredTimer unreadable(String reason) {
        TimerContent readable = new TimerContent(
                content.queue(),
                content.dueAt(),
                content.expiresAt(),
                content.type(),
                Payload.NONE,
                Map.of(),
                content.priority(),
                content.correlationId(),
                content.parallelKey(),
                content.correlationKey(),
                content.recurrence(),
                content.catchUp(),
                content.step());
        Failure defect = new Failure(
                "cannot be read: " + reason,
                failure == null ? registeredAt : failure.firstAt(),
                failure == null ? registeredAt : failure.lastAt());
        return new StoredTimer(
                key, shard, readable, state, generation, attempt, wakeAt, registeredAt, settledAt, previousAt, defect);
    }
}
