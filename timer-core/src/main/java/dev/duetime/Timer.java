package dev.duetime;

import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.draft.TimerDraft;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A timer to schedule: what must happen, and when. Immutable and thread-safe, if the payload is.
 *
 * <pre>{@code
 * Timer.after("order-17", Duration.ofMinutes(15)).payload(new PaymentTimeout(17)).build()
 * }</pre>
 */
public final class Timer {
    /** The type of a timer that was given none. */
    public static final String DEFAULT_TYPE = "timer";

    /** The queue of a timer that was given none. */
    public static final String DEFAULT_QUEUE = "default";

    static {
        Inside.open(Timer.class, timer -> timer.draft);
    }

    private final TimerKey key;
    private final TimerDraft draft;

    private Timer(TimerKey key, TimerDraft draft) {
        this.key = key;
        this.draft = draft;
    }

    /**
     * Begins a timer that is due at an instant. A past one is legal and fires at once.
     *
     * @param dueAt between year 1 and 9999; rounded up to whole microseconds
     * @throws IllegalArgumentException if {@code dueAt} is out of range
     */
    public static Builder at(TimerKey key, Instant dueAt) {
        return new Builder(key, Limits.instant("dueAt", dueAt), null, null);
    }

    /** Begins a timer of the default tenant that is due at an instant; otherwise as {@link #at(TimerKey, Instant)}. */
    public static Builder at(String timerId, Instant dueAt) {
        return at(TimerKey.of(timerId), dueAt);
    }

    /**
     * Begins a timer that is due a while after it is scheduled. A repeat of the call is due later, so it
     * {@linkplain ScheduleOutcome#RESCHEDULED moves} the timer; use {@link #at} for calls that may be repeated.
     *
     * @param delay not negative, at most 3,650,000 days
     * @throws IllegalArgumentException if {@code delay} is out of range
     */
    public static Builder after(TimerKey key, Duration delay) {
        return new Builder(key, null, Limits.delay("delay", delay), null);
    }

    /**
     * Begins a timer of the default tenant that is due after a while; otherwise as {@link #after(TimerKey, Duration)}.
     */
    public static Builder after(String timerId, Duration delay) {
        return after(TimerKey.of(timerId), delay);
    }

    /**
     * Begins a timer that recurs. It is first due at the first instant of the recurrence strictly after it is
     * scheduled. When an occurrence was delivered, has expired or is given up, it moves to the next one. A repeat of
     * the call changes nothing. It ends when it is {@linkplain Timers#cancel cancelled}, or has no further occurrence.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    public static Builder recurring(TimerKey key, Recurrence recurrence) {
        return new Builder(key, null, null, Limits.given("recurrence", recurrence));
    }

    /** Begins a recurring timer of the default tenant; otherwise as {@link #recurring(TimerKey, Recurrence)}. */
    public static Builder recurring(String timerId, Recurrence recurrence) {
        return recurring(TimerKey.of(timerId), recurrence);
    }

    /** Returns its name. */
    public TimerKey key() {
        return key;
    }

    /** Returns the queue that it is delivered on. */
    public String queue() {
        return draft.queue();
    }

    /** Returns the user's name for this kind of timer. */
    public String type() {
        return draft.type();
    }

    /** Returns the key, queue and type. */
    @Override
    public String toString() {
        return "Timer[%s, queue %s, type %s]".formatted(key, draft.queue(), draft.type());
    }

    /** A builder of a {@link Timer}. Each method checks its value at once. Not thread-safe. */
    public static final class Builder {
        private final TimerKey key;
        private final @Nullable Instant dueAt;
        private final @Nullable Duration delay;
        private final @Nullable Recurrence recurrence;
        private String queue = DEFAULT_QUEUE;
        private String type = DEFAULT_TYPE;
        private @Nullable Instant expiresAt;
        private @Nullable Duration validFor;
        private @Nullable Object payload;
        private Map<String, String> headers = Map.of();
        private @Nullable String correlationId;
        private @Nullable String shardingKey;
        private @Nullable String parallelKey;
        private @Nullable String correlationKey;
        private @Nullable String step;
        private int priority;
        private boolean rearm;
        private boolean neverExpires;
        private boolean ownDeadline;

        private Builder(
                TimerKey key, @Nullable Instant dueAt, @Nullable Duration delay, @Nullable Recurrence recurrence) {
            this.key = Limits.given("key", key);
            this.dueAt = dueAt;
            this.delay = delay;
            this.recurrence = recurrence;
        }

        /**
         * Sets the queue; {@value #DEFAULT_QUEUE} by default.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 64 characters or has control characters;
         *     {@code schedule} throws if the scheduler does not know it
         */
        public Builder queue(String queue) {
            this.queue = Limits.text("queue", queue, Limits.QUEUE_LENGTH);
            return this;
        }

        /**
         * Sets the user's name for this kind of timer; {@value #DEFAULT_TYPE} by default.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Builder type(String type) {
            this.type = Limits.text("type", type, Limits.NAME_LENGTH);
            return this;
        }

        /**
         * Sets the deadline: the last instant at which delivery is worth it. By default it follows from the {@code
         * validFor} of the type, else of the queue, else of the scheduler; else there is none. After the deadline, a
         * timer ends as {@link TimerState#EXPIRED} and is not delivered. Rounded down to whole microseconds.
         *
         * @throws IllegalArgumentException if it is out of range, or {@link #validFor} or {@link #neverExpires} is
         *     given, or the timer recurs; {@code schedule} throws if it is before the due time, and a {@link
         *     TimerExpiredException} if it has passed
         */
        public Builder expiresAt(Instant expiresAt) {
            Limits.instant("expiresAt", expiresAt);
            if (recurrence != null) {
                throw new LimitException(
                        "expiresAt",
                        "expiresAt must not be given to a timer that recurs, use validFor, but was %s (timer %s)"
                                .formatted(expiresAt, key));
            }
            if (validFor != null) {
                throw bothAtOnce(expiresAt, validFor);
            }
            refuseIfItNeverExpires("expiresAt", expiresAt);
            this.expiresAt = expiresAt;
            return this;
        }

        /**
         * Sets the deadline, counted from the due time; for a recurring timer from the due time of each occurrence.
         * Otherwise as {@link #expiresAt}. A deadline after year 9999 becomes the end of that year.
         *
         * @param validFor 1 ms to 3,650,000 days
         * @throws IllegalArgumentException if it is out of range, or {@link #expiresAt} or {@link #neverExpires} is
         *     given; {@code schedule} throws a {@link TimerExpiredException} if the deadline has passed
         */
        public Builder validFor(Duration validFor) {
            Limits.validFor(validFor);
            if (expiresAt != null) {
                throw bothAtOnce(expiresAt, validFor);
            }
            refuseIfItNeverExpires("validFor", validFor);
            this.validFor = validFor;
            return this;
        }

        /**
         * Gives the timer no deadline, whatever the {@code validFor} of its type, queue and scheduler. If a handler of
         * a todo schedules it, it still inherits the deadline of that todo, unless {@link #ownDeadline} is called.
         *
         * @throws IllegalArgumentException if {@link #expiresAt} or {@link #validFor} is given
         */
        public Builder neverExpires() {
            this.neverExpires = true;
            if (expiresAt != null) {
                refuseIfItNeverExpires("expiresAt", expiresAt);
            }
            if (validFor != null) {
                refuseIfItNeverExpires("validFor", validFor);
            }
            return this;
        }

        /**
         * Keeps the timer's own deadline, or none, if a {@linkplain dev.duetime.todo.TodoRun#schedule handler schedules
         * it}. Otherwise it would inherit the deadline of the running todo.
         */
        public Builder ownDeadline() {
            this.ownDeadline = true;
            return this;
        }

        /**
         * Sets what the timer carries; nothing by default. Encoded by the scheduler's codec when scheduled; a
         * {@link Payload} is taken as it is.
         *
         * @param payload null for nothing
         */
        public Builder payload(@Nullable Object payload) {
            this.payload = payload;
            return this;
        }

        /**
         * Adds a header; none by default, at most 64.
         *
         * @param name 1 to 255 characters without control characters
         * @param value up to 4,096 characters without control characters
         * @throws IllegalArgumentException if name or value is out of bounds, or there are 64 headers already
         */
        public Builder header(String name, String value) {
            Limits.header(name, value);
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            Limits.number("number of headers", more.size(), 0, Limits.HEADERS);
            headers = more;
            return this;
        }

        /**
         * Sets the user's id of the conversation that the timer belongs to; none by default.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Builder correlationId(String correlationId) {
            this.correlationId = Limits.text("correlationId", correlationId, Limits.NAME_LENGTH);
            return this;
        }

        /**
         * Puts the timer into one shard with all others of this key in its queue, so that one node at a time delivers
         * them. By default its own key decides. Recurring timers of one parallel key are delivered in order of their
         * due times, then of their keys, except for a failed one that waits for its retry.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Builder parallelKey(String parallelKey) {
            this.parallelKey = Limits.text("parallelKey", parallelKey, Limits.NAME_LENGTH);
            return this;
        }

        /**
         * Puts the timer into one shard with all others of this sharding key in its queue, whatever their parallel
         * keys. By default its {@link #parallelKey} decides. Not stored.
         *
         * <p>What is said of a parallel key holds within a shard: several nodes may have the others. So give all timers
         * of a parallel key the same sharding key, or none.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Builder shardingKey(String shardingKey) {
            this.shardingKey = Limits.text("shardingKey", shardingKey, Limits.NAME_LENGTH);
            return this;
        }

        /**
         * Allows a merge with the waiting timer of this key and of its tenant in its queue, if its type {@linkplain
         * dev.duetime.todo.TodoTypeBuilder#merge has a merge}; none by default.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters
         */
        public Builder correlationKey(String correlationKey) {
            this.correlationKey = Limits.text("correlationKey", correlationKey, Limits.NAME_LENGTH);
            return this;
        }

        /**
         * Makes it a todo that begins with this step; for a {@linkplain SchedulerBuilder#todoQueue todo queue}. A todo
         * is never replaced while it is scheduled: a repeat of its key is {@link ScheduleOutcome#UNCHANGED}, whatever
         * its content.
         *
         * @throws IllegalArgumentException if it is null, empty, longer than 255 characters or has control characters,
         *     or if the timer recurs
         */
        public Builder step(String step) {
            if (recurrence != null) {
                throw new LimitException(
                        "step",
                        "step must not be given to a timer that recurs but was %s (timer %s)"
                                .formatted(Limits.shown(step), key));
            }
            this.step = Limits.text("step", step, Limits.NAME_LENGTH);
            return this;
        }

        /** Sets the priority: among due timers of a queue that are read together, higher goes first; 0 by default. */
        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        /**
         * Allows to schedule an ended key again (reached, expired or dead), as a new generation. Without this, such a
         * call is {@link ScheduleOutcome#IGNORED}.
         */
        public Builder rearm() {
            this.rearm = true;
            return this;
        }

        /**
         * Returns the timer; the builder may be used on.
         *
         * @throws IllegalArgumentException if the key is that of a todo on another queue
         */
        public Timer build() {
            if (key.isOfTodo() && !key.scope().equals(queue)) {
                throw new LimitException(
                        "queue",
                        "queue must be that of the todo's key but was %s (todo %s)"
                                .formatted(Limits.shown(queue), key));
            }
            return new Timer(key, draft());
        }

        private TimerDraft draft() {
            return new TimerDraft(
                    queue,
                    type,
                    dueAt,
                    delay,
                    recurrence,
                    expiresAt,
                    validFor,
                    neverExpires,
                    ownDeadline,
                    payload,
                    headers,
                    priority,
                    correlationId,
                    shardingKey,
                    parallelKey,
                    correlationKey,
                    step,
                    rearm);
        }

        private void refuseIfItNeverExpires(String name, Object value) {
            if (neverExpires) {
                throw new LimitException(
                        name,
                        "%s must not be given to a timer that never expires but was %s (timer %s)"
                                .formatted(name, value, key));
            }
        }

        private LimitException bothAtOnce(Instant expiry, Duration validity) {
            return new LimitException(
                    "validFor",
                    "validFor must not be given together with expiresAt but was %s beside %s (timer %s)"
                            .formatted(validity, expiry, key));
        }
    }
}
