package dev.duetime;

import dev.duetime.engine.settings.Deadlines;
import dev.duetime.engine.settings.QueueSettings;
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

    /** Returns the settings of all queues. */
    List<QueueSettings> build(Duration unknownTypesFor) {
        return queues.values().stream()
                .map(queue -> queue.build(defaults, types, unknownTypesFor))
                .toList();
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
