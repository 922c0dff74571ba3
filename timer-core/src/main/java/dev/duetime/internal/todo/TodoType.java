package dev.duetime.internal.todo;

import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.todo.Merge;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One type of todos in a queue: its payload, its handler and its settings. Immutable; thread-safe, if the handler, the
 * merge and the delay are.
 *
 * @param name its name in the database
 * @param payload the class of its payloads
 * @param handler runs its todos
 * @param merge merges a todo with the waiting todo of its correlation key; null keeps both
 * @param retry when a failed todo is retried; null for the policy of the queue
 * @param delay how long a todo waits after an error; null for the delay of the retry policy
 * @param validFor how long after its start date a todo is worth running; null for the setting of the queue or the
 *     scheduler
 * @param concurrencyLimit how many of its todos run at once on all nodes; null for any number
 * @param rateLimit how many of its todos begin in a time on all nodes; null for any number
 * @param <T> the type of payloads
 */
public record TodoType<T>(
        String name,
        Class<T> payload,
        StepHandler<T> handler,
        @Nullable Merge<T> merge,
        @Nullable RetryPolicy retry,
        @Nullable TodoDelay<T> delay,
        @Nullable Duration validFor,
        @Nullable Integer concurrencyLimit,
        @Nullable RateLimit rateLimit) {}
