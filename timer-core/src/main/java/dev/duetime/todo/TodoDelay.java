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
     * @param todo as it stood: {@code attempts()} does not count this failure
     * @return 1 ms to 365 days; null for what the retry policy says, as it is where this throws or
     *     returns another one
     */
    @Nullable
    Duration after(Todo<T> todo, Throwable error);
}
