package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.RetryPolicy;
import dev.duetime.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One type of todos in a queue: its payload, its handler and its settings. Immutable; thread-safe, if the handler, the
 * merge and the delay are.
 *
 * @param name its name in the database
 * @param payload the class of its payloads
 * @param handler runs its todos
 * @param merge decides what becomes of a todo whose correlation key waits already; null keeps both
 * @param retry says when a todo is retried that has failed; null for the policy of the queue
 * @param delay decides how long a todo waits after an error; null for what the retry policy says
 * @param validFor how long after its start date a todo is worth running; null for the setting of the queue or the
 *     scheduler
 * @param <T> the type of payloads
 */
@Beta
public record TodoType<T>(
        String name,
        Class<T> payload,
        StepHandler<T> handler,
        @Nullable Merge<T> merge,
        @Nullable RetryPolicy retry,
        @Nullable TodoDelay<T> delay,
        @Nullable Duration validFor) {

    /**
     * The settings of a type of todos, given to {@link TodoQueue.Builder#type(String, Class, StepHandler,
     * java.util.function.Consumer)}. Each method checks its value at once. Not thread-safe.
     *
     * @param <T> the type of payloads
     */
    public static final class Builder<T> {
        private final String name;
        private final Class<T> payload;
        private final StepHandler<T> handler;
        private @Nullable Merge<T> merge;
        private @Nullable RetryPolicy retry;
        private @Nullable TodoDelay<T> delay;
        private @Nullable Duration validFor;

        Builder(String name, Class<T> payload, StepHandler<T> handler) {
            this.name = Limits.text("type", name, Limits.NAME_LENGTH);
            this.payload = Limits.given("payload", payload);
            this.handler = Limits.given("handler", handler);
        }

        /**
         * Sets what becomes of a todo that is enqueued while another one of its correlation key waits. Keeps both by
         * default. Set the same merge on all nodes that enqueue.
         *
         * @throws IllegalArgumentException if {@code merge} is null
         */
        public Builder<T> merge(Merge<T> merge) {
            this.merge = Limits.given("merge", merge);
            return this;
        }

        /**
         * Sets when a todo of this type is retried, and how often. The policy of the queue by default.
         *
         * @throws IllegalArgumentException if {@code retry} is null
         */
        public Builder<T> retry(RetryPolicy retry) {
            this.retry = Limits.given("retry", retry);
            return this;
        }

        /**
         * Sets what decides how long a todo waits after an error. The retry policy by default; it limits the number of
         * attempts in any case.
         *
         * @throws IllegalArgumentException if {@code delay} is null
         */
        public Builder<T> delay(TodoDelay<T> delay) {
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
        public Builder<T> validFor(Duration validFor) {
            this.validFor = Limits.validFor(validFor);
            return this;
        }

        TodoType<T> build() {
            return new TodoType<>(name, payload, handler, merge, retry, delay, validFor);
        }
    }
}
