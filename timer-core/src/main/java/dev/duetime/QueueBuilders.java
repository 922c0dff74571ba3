package dev.duetime;

import dev.duetime.engine.settings.Deadlines;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.ReadBytes;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.engine.settings.TypedHandler;
import dev.duetime.engine.settings.TypedMerge;
import dev.duetime.internal.todo.TodoLimits;
import dev.duetime.internal.todo.TodoSettings;
import dev.duetime.internal.todo.TodoType;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queues and types of a scheduler that is being built, and the defaults of its queues. Not thread-safe. */
final class QueueBuilders {
    private final QueueBuilder defaults = new QueueBuilder(Timer.DEFAULT_QUEUE);
    private final Map<String, QueueBuilder> queues = new LinkedHashMap<>();
    private final Map<String, TypeBuilder> types = new LinkedHashMap<>();

    QueueBuilders() {
        queue(Timer.DEFAULT_QUEUE);
    }

    /** Returns the settings of all queues that do not set their own. */
    QueueBuilder defaults() {
        return defaults;
    }

    /** Returns the settings of a queue, which is added if it is new. */
    QueueBuilder queue(String name) {
        return queues.computeIfAbsent(name, QueueBuilder::new);
    }

    /** Sets a queue up for todos. What the todo queue leaves open stays as it is. */
    static void setUp(QueueBuilder queue, TodoSettings todos) {
        queue.ofTodos();
        queue.retry(todos.retry());
        limits(todos.limits(), queue);
        todos.types().values().forEach(each -> type(each, queue));
        if (todos.mode() == TodoMode.SEQUENTIAL) {
            queue.shards(1);
        }
        if (!todos.enqueuesOnly()) {
            queue.handler(new TypedHandler(todos.types()), todos.mode(), todos.workers(), todos.timeLimit());
        }
    }

    private static void limits(TodoLimits limits, QueueBuilder queue) {
        if (limits.concurrency() != null) {
            queue.concurrencyLimit(limits.concurrency());
        }
        if (limits.rate() != null) {
            queue.rateLimit(limits.rate());
        }
        if (limits.tenantRate() != null) {
            queue.tenantRateLimit(limits.tenantRate());
        }
        if (limits.parallelKey() > 1) {
            queue.parallelKeyLimit(limits.parallelKey());
        }
    }

    private static void type(TodoType<?> type, QueueBuilder queue) {
        TimerMerge merge = TypedMerge.of(type);
        if (merge != null) {
            queue.merge(type.name(), merge);
        }
        queue.type(type.name(), settings -> {
            if (type.retry() != null) {
                settings.retry(type.retry());
            }
            if (type.validFor() != null) {
                settings.validFor(type.validFor());
            }
            if (type.concurrencyLimit() != null) {
                settings.concurrencyLimit(type.concurrencyLimit());
            }
            if (type.rateLimit() != null) {
                settings.rateLimit(type.rateLimit());
            }
        });
    }

    /** Returns the settings of a type on all queues. */
    TypeBuilder type(String name) {
        return types.computeIfAbsent(name, unknown -> new TypeBuilder());
    }

    /** Returns how long timers are worth delivering. */
    Deadlines deadlines() {
        Map<String, Map<String, Duration>> byQueueAndType = new HashMap<>();
        queues.forEach((name, queue) -> byQueueAndType.put(name, queue.validForByType()));
        return new Deadlines(
                byQueueAndType,
                given(types, TypeBuilder::validFor),
                given(queues, QueueBuilder::validFor),
                defaults.validFor());
    }

    /** Returns the names of the queues that take todos only. */
    Set<String> todoQueues() {
        return given(queues, queue -> queue.isOfTodos() ? queue : null).keySet();
    }

    /**
     * Returns the settings of all queues.
     *
     * @param stores in how many stores this node reads each queue
     */
    List<QueueSettings> build(Duration unknownTypesFor, int stores) {
        List<QueueSettings> settings = queues.values().stream()
                .map(queue -> queue.build(defaults, types, unknownTypesFor))
                .toList();
        long served = settings.stream().filter(QueueSettings::isServed).count();
        long bytes = ReadBytes.of(Math.toIntExact(served * stores));
        return settings.stream().map(each -> each.withReadBytes(bytes)).toList();
    }

    /** Returns a setting by the names of the queues or types that set it. */
    static <B, T> Map<String, T> given(Map<String, B> builders, Function<B, @Nullable T> setting) {
        Map<String, T> given = new HashMap<>();
        builders.forEach((name, builder) -> {
            T value = setting.apply(builder);
            if (value != null) {
                given.put(name, value);
            }
        });
        return given;
    }
}
