package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a step of a todo. The engine stores an outcome with one write. It does so only if the todo has not
 * changed in the meantime. Immutable and thread-safe, if the payload is.
 */
@Beta
public sealed interface Outcome {
    /** Returns the new payload of the todo; null if the payload stays. */
    default @Nullable Object payload() {
        return null;
    }

    /** Ends the todo as {@link dev.duetime.TimerState#REACHED}, or deletes it if its queue keeps nothing. */
    static Outcome complete() {
        return Complete.INSTANCE;
    }

    /**
     * Continues with another step, at once, and on this node if possible. The next step begins with no failed attempts.
     * The outcome is durable before that step begins.
     *
     * @throws IllegalArgumentException if {@code step} is null, empty, longer than 255 characters or has control
     *     characters
     */
    static Next next(String step) {
        return new Next(step, null);
    }

    /**
     * Runs the same step again at an instant, or at once if the instant has passed. The instant becomes the todo's
     * start date.
     *
     * @param startAt from the year 1 to 9999
     * @throws IllegalArgumentException if it is null or out of range
     */
    static Again againAt(Instant startAt) {
        return new Again(Limits.given("startAt", startAt), null, null);
    }

    /**
     * Runs the same step again after a while, counted from the end of this run; otherwise as {@link #againAt}.
     *
     * @param delay 0 to 3,650,000 days
     * @throws IllegalArgumentException if it is null or out of range
     */
    static Again againAfter(Duration delay) {
        return new Again(null, Limits.given("delay", delay), null);
    }

    /**
     * Counts a failed attempt, and runs the same step again after the delay of the retry policy. After the last attempt
     * the todo is dead.
     *
     * @throws IllegalArgumentException if {@code error} is null
     */
    static Retry retry(Throwable error) {
        return new Retry(error, null, null);
    }

    /**
     * Ends the todo as {@link dev.duetime.TimerState#DEAD} with a reason. An operator can revive it.
     *
     * @throws IllegalArgumentException if {@code reason} is null
     */
    static GiveUp giveUp(String reason) {
        return new GiveUp(reason, null);
    }

    /** The outcome of {@link #complete}. */
    enum Complete implements Outcome {
        /** The only instance. */
        INSTANCE
    }

    /**
     * The outcome of {@link #next}.
     *
     * @param step the next step
     * @param payload the new payload of the todo; null if the payload stays
     */
    record Next(String step, @Nullable Object payload) implements Outcome {
        /**
         * Checks the step.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Next {
            Limits.text("step", step, Limits.NAME_LENGTH);
        }

        /**
         * Returns this with another payload.
         *
         * @throws IllegalArgumentException if it is null
         */
        public Next with(Object newPayload) {
            return new Next(step, Limits.given("payload", newPayload));
        }
    }

    /**
     * The outcome of {@link #againAt} or {@link #againAfter}; exactly one of the two times is given.
     *
     * @param startAt when
     * @param delay after how long
     * @param payload the new payload of the todo; null if the payload stays
     */
    record Again(
            @Nullable Instant startAt,
            @Nullable Duration delay,
            @Nullable Object payload) implements Outcome {
        /**
         * Checks the times.
         *
         * @throws IllegalArgumentException if not one of both is given, or it is out of range
         */
        public Again {
            if ((startAt == null) == (delay == null)) {
                throw new LimitException(
                        "startAt",
                        "startAt or delay must be given, and not both, but were %s and %s".formatted(startAt, delay));
            }
            if (startAt != null) {
                Limits.instant("startAt", startAt);
            }
            if (delay != null) {
                Limits.delay("delay", delay);
            }
        }

        /**
         * Returns this with another payload.
         *
         * @throws IllegalArgumentException if it is null
         */
        public Again with(Object newPayload) {
            return new Again(startAt, delay, Limits.given("payload", newPayload));
        }
    }

    /**
     * The outcome of {@link #retry}.
     *
     * @param error why the step failed
     * @param delay how long to wait, instead of what the retry policy says; null for that
     * @param payload the new payload of the todo; null if the payload stays
     */
    record Retry(
            Throwable error,
            @Nullable Duration delay,
            @Nullable Object payload) implements Outcome {
        /**
         * Checks the delay.
         *
         * @throws IllegalArgumentException if there is no error, or the delay is out of range
         */
        public Retry {
            Limits.given("error", error);
            if (delay != null) {
                Limits.upToAYear("delay", delay);
            }
        }

        /**
         * Returns this with another payload.
         *
         * @throws IllegalArgumentException if it is null
         */
        public Retry with(Object newPayload) {
            return new Retry(error, delay, Limits.given("payload", newPayload));
        }

        /**
         * Returns this with a delay of its own.
         *
         * @param own 1 ms to 365 days
         * @throws IllegalArgumentException if it is out of range
         */
        public Retry after(Duration own) {
            return new Retry(error, Limits.given("delay", own), payload);
        }
    }

    /**
     * The outcome of {@link #giveUp}.
     *
     * @param reason kept with the dead todo
     * @param payload the new payload of the todo; null if the payload stays
     */
    record GiveUp(String reason, @Nullable Object payload) implements Outcome {
        /**
         * Checks the reason.
         *
         * @throws IllegalArgumentException if it is null
         */
        public GiveUp {
            Limits.given("reason", reason);
        }

        /**
         * Returns this with another payload.
         *
         * @throws IllegalArgumentException if it is null
         */
        public GiveUp with(Object newPayload) {
            return new GiveUp(reason, Limits.given("payload", newPayload));
        }
    }
}
