package dev.duetime.internal.todo;

import dev.duetime.RetryPolicy;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a todo queue, as its builder checked them. Immutable; thread-safe, if its handlers are.
 *
 * @param mode which todos may run at the same time
 * @param workers how many todos run at the same time on a node, at most
 * @param timeLimit how long a step may take before it is interrupted; null for no limit
 * @param retry when a failed todo is retried, for types without a policy of their own
 * @param enqueuesOnly whether this node only enqueues, and other nodes run the todos
 * @param limits how many todos run at once, and begin in a time, on all nodes together
 * @param types the types of todos by their names, in the order in which they were added
 */
public record TodoSettings(
        TodoMode mode,
        int workers,
        @Nullable Duration timeLimit,
        RetryPolicy retry,
        boolean enqueuesOnly,
        TodoLimits limits,
        Map<String, TodoType<?>> types) {

    /** Copies the types. */
    public TodoSettings {
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }
}
