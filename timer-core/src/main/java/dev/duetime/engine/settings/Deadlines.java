package dev.duetime.engine.settings;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings for how long timers without a deadline are worth delivering. The type on that queue decides first, then
 * the type, then the queue, then the scheduler. Immutable and thread-safe.
 *
 * @param byQueueAndType for types that have a setting on one queue
 * @param byType for types that have a setting
 * @param byQueue for queues that have one
 * @param general for all others; null for ever
 */
public record Deadlines(
        Map<String, Map<String, Duration>> byQueueAndType,
        Map<String, Duration> byType,
        Map<String, Duration> byQueue,
        @Nullable Duration general) {
    /** No timer has a default deadline. */
    public static final Deadlines NONE = new Deadlines(Map.of(), Map.of(), Map.of(), null);

    /** Copies the settings. */
    public Deadlines {
        byQueueAndType = Map.copyOf(byQueueAndType);
        byType = Map.copyOf(byType);
        byQueue = Map.copyOf(byQueue);
    }

    /** Returns how long after its due time such a timer is worth delivering; null for ever. */
    public @Nullable Duration validFor(String type, String queue) {
        Duration here = byQueueAndType.getOrDefault(queue, Map.of()).get(type);
        Duration own = here != null ? here : byType.get(type);
        Duration ofQueue = own != null ? own : byQueue.get(queue);
        return ofQueue != null ? ofQueue : general;
    }
}
