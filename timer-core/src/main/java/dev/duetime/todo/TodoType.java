package dev.duetime.todo;

import dev.duetime.Outcome;
import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.TimerMerge;
import dev.duetime.TodoRun;
import dev.duetime.TypeBuilder;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sets up a type of todos. Not thread-safe; not changed once its queue is built.
 *
 * @param <T> the type of payloads
 */
public final class TodoType<T> {
    private final String name;
    private final Class<T> payload;
    private final StepHandler<T> handler;
    private @Nullable Merge<T> merge;
    private @Nullable RetryPolicy retry;
    private @Nullable TodoDelay<T> delay;
    private @Nullable Duration validFor;

    TodoType(String name, Class<T> payload, StepHandler<T> handler) {
        this.name = name;
        this.payload = payload;
        this.handler = handler;
    }

    /**
     * Sets what becomes of one that is enqueued with a correlation key while another one of that key waits; both are kept by
     * default. All nodes that enqueue must set the same.
     */
    public TodoType<T> merge(Merge<T> merge) {
        this.merge = Objects.requireNonNull(merge, "merge");
        return this;
    }

    /** Sets when it is tried again, and how often; as its queue by default. */
    public TodoType<T> retry(RetryPolicy retry) {
        this.retry = Objects.requireNonNull(retry, "retry");
        return this;
    }

    /** Sets what decides on the delay after an error; the retry policy by default, which still bounds the attempts. */
    public TodoType<T> delay(TodoDelay<T> delay) {
        this.delay = Objects.requireNonNull(delay, "delay");
        return this;
    }

    /**
     * Sets how long after its start date it is worth running; for ever by default.
     *
     * @param validFor as {@link dev.duetime.TypeBuilder#validFor}, which checks it
     */
    public TodoType<T> validFor(Duration validFor) {
        this.validFor = Objects.requireNonNull(validFor, "validFor");
        return this;
    }

    String name() {
        return name;
    }

    /** Sets up its timers on its queue. */
    void configure(TypeBuilder settings) {
        if (retry != null) {
            settings.retry(retry);
        }
        if (validFor != null) {
            settings.validFor(validFor);
        }
    }

    /**
     * Checks what a todo of this type is to carry: an object of its class, or one that is encoded.
     *
     * @throws IllegalArgumentException if it is another one
     */
    void checked(Object given) {
        Class<?> expected = MethodType.methodType(payload).wrap().returnType();
        if (!(given instanceof Payload) && !expected.isInstance(given)) {
            throw new IllegalArgumentException("payload of type %s must be a %s but was a %s"
                    .formatted(name, payload.getName(), given.getClass().getName()));
        }
    }

    /** Runs a todo. Whether its step is known is decided first: one of a newer version may carry what this one cannot read. */
    Outcome execute(StoredTimer stored, TodoRun run) throws Exception {
        if (handler instanceof Steps<?> steps) {
            steps.checkKnown(String.valueOf(stored.content().step()));
        }
        Outcome outcome = handler.execute(Todo.of(stored, payload), run);
        Object next = outcome == null ? null : outcome.payload();
        if (next != null) {
            checked(next);
        }
        return outcome;
    }

    @Nullable
    Duration delay(StoredTimer stored, Throwable error) {
        TodoDelay<T> hook = delay;
        return hook == null ? null : hook.after(Todo.of(stored, payload), error);
    }

    /** Returns the merge of stored todos, null if there is none. */
    @Nullable
    TimerMerge timerMerge() {
        Merge<T> given = merge;
        return given == null ? null : (waiting, arriving) -> merge(given, waiting, arriving);
    }

    private TimerMerge.Decision merge(Merge<T> given, StoredTimer waiting, StoredTimer arriving) {
        Merge.Result<T> result = given.merge(Todo.of(waiting, payload), Todo.of(arriving, payload));
        Objects.requireNonNull(result, () -> "the merge of type " + name + " returned nothing");
        Todo<T> kept = result.kept();
        if (kept == null) {
            return result.inserted() ? new TimerMerge.Decision.Insert() : new TimerMerge.Decision.Drop();
        }
        return new TimerMerge.Decision.Keep(kept.startAt(), kept.expiresAt(), kept.priority(), kept.payload());
    }
}
