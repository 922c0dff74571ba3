package dev.duetime.todo;

import dev.duetime.Beta;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A function that decides how long a todo waits after a step has thrown. Thread-safe.
 *
 * @param <T> the type of payloads
 */
@Beta
@FunctionalInterface
public interface TodoDelay<T> {
    /**
     * Returns the delay.
     *
     * @param todo the todo before the failure: {@code attempts()} does not count it
     * @return 1 ms to 365 days; null for the delay of the retry policy, which also counts if this throws or returns a
     *     delay out of range
     */
    @Nullable
    Duration after(Todo<T> todo, Throwable error);
}
