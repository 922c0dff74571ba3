package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A todo to be enqueued: what to do, and when. Each method checks its value at once and returns another object.
 * Immutable and thread-safe, if the payload is.
 *
 * <pre>{@code
 * mails.enqueue(NewTodo.of("welcome", new Welcome(userId)).id("welcome-" + userId).startAfter(Duration.ofMinutes(10)));
 * }</pre>
 */
@Beta
public final class NewTodo {
    /** The step of a todo that was given none. */
    public static final String FIRST_STEP = "start";

    private final @Nullable TimerKey key;
    private final @Nullable Instant startAt;
    private final Duration delay;
    private final Object payload;
    private final UnaryOperator<Timer.Builder> settings;

    private NewTodo(
            @Nullable TimerKey key,
            @Nullable Instant startAt,
            Duration delay,
            Object payload,
            UnaryOperator<Timer.Builder> settings) {
        this.payload = payload;
        this.key = key;
        this.startAt = startAt;
        this.delay = delay;
        this.settings = settings;
    }

    /**
     * Begins a todo that starts at once, under an id of its own.
     *
     * @param type one of those that its queue knows
     * @param payload what it carries, an object of the class of that type
     * @throws IllegalArgumentException if the type is null, empty, longer than 255 characters or has control
     *     characters, or the payload is null
     */
    public static NewTodo of(String type, Object payload) {
        return new NewTodo(
                        null,
                        null,
                        Duration.ZERO,
                        Limits.given("payload", payload),
                        settings -> settings.step(FIRST_STEP))
                .with(settings -> settings.type(type).payload(payload));
    }

    /**
     * Sets its id for the default tenant, under which it is enqueued once only on its queue: a repeat changes nothing,
     * whatever it says, while the todo is there and for the retention of its queue after that. A random one by default.
     *
     * @throws IllegalArgumentException as {@link TimerKey}
     */
    public NewTodo id(String id) {
        return key(TimerKey.of(id));
    }

    /** Sets tenant and id, whatever the scope of the key; otherwise as {@link #id}. */
    public NewTodo key(TimerKey key) {
        Timer.after(key, Duration.ZERO);
        return new NewTodo(key, startAt, delay, payload, settings);
    }

    /**
     * Sets its start date; at once by default, and if it has passed.
     *
     * @throws IllegalArgumentException as {@link Timer#at}
     */
    public NewTodo startAt(Instant startAt) {
        Timer.at("checked", startAt);
        return new NewTodo(key, startAt, Duration.ZERO, payload, settings);
    }

    /**
     * Sets its start date, counted from enqueueing.
     *
     * @throws IllegalArgumentException as {@link Timer#after}
     */
    public NewTodo startAfter(Duration delay) {
        Timer.after("checked", delay);
        return new NewTodo(key, null, delay, payload, settings);
    }

    /** Sets the step to begin with; {@value #FIRST_STEP} by default. Otherwise as {@link Timer.Builder#step}. */
    public NewTodo step(String step) {
        return with(settings -> settings.step(step));
    }

    /** Sets the priority, 0 by default: among todos of a queue that may run, higher goes first. */
    public NewTodo priority(int priority) {
        return with(settings -> settings.priority(priority));
    }

    /**
     * Sets the key that decides about its shard. By default its parallel key decides, or else its id. Otherwise as
     * {@link Timer.Builder#shardingKey}.
     */
    public NewTodo shardingKey(String shardingKey) {
        return with(settings -> settings.shardingKey(shardingKey));
    }

    /**
     * Sets the key of those that run one at a time in a queue that is {@link
     * dev.duetime.todo.TodoMode#PARALLEL_BY_KEY}; none by default. Todos of one parallel key must not have different
     * sharding keys.
     *
     * @throws IllegalArgumentException as {@link Timer.Builder#parallelKey}
     */
    public NewTodo parallelKey(String parallelKey) {
        return with(settings -> settings.parallelKey(parallelKey));
    }

    /** Sets the key of those that may be merged, none by default; otherwise as {@link Timer.Builder#correlationKey}. */
    public NewTodo correlationKey(String correlationKey) {
        return with(settings -> settings.correlationKey(correlationKey));
    }

    /** Sets the user's id of the conversation it belongs to; otherwise as {@link Timer.Builder#correlationId}. */
    public NewTodo correlationId(String correlationId) {
        return with(settings -> settings.correlationId(correlationId));
    }

    /** Adds a header; otherwise as {@link Timer.Builder#header}. */
    public NewTodo header(String name, String value) {
        return with(settings -> settings.header(name, value));
    }

    /** Sets the last instant at which a step of it may begin; otherwise as {@link Timer.Builder#expiresAt}. */
    public NewTodo expiresAt(Instant expiresAt) {
        return with(settings -> settings.expiresAt(expiresAt));
    }

    /** Sets how long after its start date a step of it may begin; otherwise as {@link Timer.Builder#validFor}. */
    public NewTodo validFor(Duration validFor) {
        return with(settings -> settings.validFor(validFor));
    }

    /** Keeps it from inheriting the deadline of the todo whose handler enqueues it. */
    public NewTodo ownDeadline() {
        return with(Timer.Builder::ownDeadline);
    }

    /** Allows an id whose todo has ended to be enqueued again. */
    public NewTodo rearm() {
        return with(Timer.Builder::rearm);
    }

    private NewTodo with(UnaryOperator<Timer.Builder> more) {
        NewTodo changed = new NewTodo(key, startAt, delay, payload, builder -> more.apply(settings.apply(builder)));
        changed.timer("checked");
        return changed;
    }

    Object payload() {
        return payload;
    }

    /** Returns it as a timer of the queue. */
    Timer timer(String queue) {
        TimerKey given = key != null ? key : TimerKey.of(UUID.randomUUID().toString());
        TimerKey named = TimerKey.ofTodo(given.tenantId(), queue, given.timerId());
        Timer.Builder builder = startAt != null ? Timer.at(named, startAt) : Timer.after(named, delay);
        return settings.apply(builder).queue(queue).build();
    }
}
