package dev.duetime.engine.settings;

import dev.duetime.todo.TodoMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a queue's handler.
 *
 * @param handler runs todos
 * @param mode which todos may run at the same time
 * @param workers how many todos run at the same time on this node, at most
 * @param timeLimit how long a step may take before it is interrupted; null for ever
 */
public record HandlerSettings(
        QueueHandler handler,
        TodoMode mode,
        int workers,
        @Nullable Duration timeLimit) {}
