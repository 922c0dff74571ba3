package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.internal.Limits;
import dev.duetime.internal.todo.TodoType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a type of todos, given to {@link TodoQueue.Builder#type(String, Class, StepHandler,
 * java.util.function.Consumer)}. Each method checks its value at once. Not thread-safe.
 *
 * @param <T> the type of payloads
 */
@Beta
public final class TodoTypeBuilder<T> {
    private final String name;
    private final Class<T> payload;
    private final StepHandler<T> handler;
    private @Nullable Merge<T> merge;
    private @Nullable RetryPolicy retry;
    private @Nullable TodoDelay<T> delay;
    private @Nullable Duration validFor;
    private @Nullable Integer concurrencyLimit;
    private @Nullable RateLimit rateLimit;

    TodoTypeBuilder(String name, Class<T> payload, StepHandler<T> handler) {
        this.name = Limits.text("type", name, Limits.NAME_LENGTH);
        this.payload = Limits.given("payload", payload);
        this.handler = Limits.given("handler", handler);
    }

    /**
     * Sets how a new todo is merged with a waiting todo of its correlation key. By default both stay. Set the same
     * merge on all nodes that enqueue.
     *
     * @throws IllegalArgumentException if {@code merge} is null
     */
    public TodoTypeBuilder<T> merge(Merge<T> merge) {
        this.merge = Limits.given("merge", merge);
        return this;
    }

    /**
     * Sets when a todo of this type is retried, and how often. The policy of the queue by default.
     *
     * @throws IllegalArgumentException if {@code retry} is null
     */
    public TodoTypeBuilder<T> retry(RetryPolicy retry) {
        this.retry = Limits.given("retry", retry);
        return this;
    }

    /**
     * Sets the function that decides how long a todo waits after an error. The retry policy by default; it limits the
     * number of attempts in any case.
     *
     * @throws IllegalArgumentException if {@code delay} is null
     */
    public TodoTypeBuilder<T> delay(TodoDelay<T> delay) {
        this.delay = Limits.given("delay", delay);
        return this;
    }

    /**
     * Sets how long after its start date a todo is worth running. The setting of the queue or the scheduler by
     * default.
     *
     * @param validFor 1 ms to 3,650,000 days
     * @throws IllegalArgumentException if {@code validFor} is null or out of range
     */
    public TodoTypeBuilder<T> validFor(Duration validFor) {
        this.validFor = Limits.validFor(validFor);
        return this;
    }

    /**
     * Limits how many todos of this type run at once, on all nodes together; any number by default. Otherwise as {@link
     * TodoQueue.Builder#concurrencyLimit}.
     *
     * @param most 1 to 1,000,000
     * @throws IllegalArgumentException if it is out of range
     */
    public TodoTypeBuilder<T> concurrencyLimit(int most) {
        this.concurrencyLimit = Limits.number("concurrencyLimit", most, 1, TodoQueue.Builder.MOST_PERMITS);
        return this;
    }

    /**
     * Limits how many runs of this type begin in a time, on all nodes together; any number by default. Otherwise as
     * {@link TodoQueue.Builder#rateLimit}.
     *
     * @throws IllegalArgumentException if {@code limit} is null
     */
    public TodoTypeBuilder<T> rateLimit(RateLimit limit) {
        this.rateLimit = Limits.given("rateLimit", limit);
        return this;
    }

    TodoType<T> build() {
        return new TodoType<>(name, payload, handler, merge, retry, delay, validFor, concurrencyLimit, rateLimit);
    }
}
