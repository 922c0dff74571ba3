package dev.duetime.spring.internal.handler;

import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.spring.TimerHandler;
import dev.duetime.spring.internal.host.StartRefusedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The handlers that are beans or methods of beans, as one {@link Handlers} for each queue. Not thread-safe. */
public final class HandlerBeans {
    private final Map<String, Map<String, Entry>> byQueueAndType = new TreeMap<>();

    /**
     * A handler.
     *
     * @param name its class or method, for messages
     * @param recurrence when it is called; null if by timers that the application schedules
     */
    private record Entry(
            String name, Handlers.Handler handler, @Nullable Recurrence recurrence) {

        void addTo(Handlers.Builder handlers, String type) {
            if (recurrence == null) {
                handlers.on(type, handler);
            } else {
                handlers.recurring(type, recurrence, handler);
            }
        }
    }

    /**
     * Adds a handler that is a bean.
     *
     * @throws IllegalStateException if another handler of its queue has the same type
     */
    public void add(TimerHandler handler) {
        add(handler.queue(), handler.type(), handler.getClass().getName(), handler::handle, null);
    }

    /**
     * Adds a handler.
     *
     * @throws IllegalStateException if another handler of its queue has the same type
     */
    void add(String queue, String type, String name, Handlers.Handler handler, @Nullable Recurrence recurrence) {
        Entry other = byQueueAndType
                .computeIfAbsent(queue, unknown -> new TreeMap<>())
                .putIfAbsent(type, new Entry(name, handler, recurrence));
        if (other != null) {
            throw new StartRefusedException("timers of type %s on queue %s must have one handler but have %s and %s"
                    .formatted(type, queue, other.name(), name));
        }
    }

    /** Returns the names of the classes and methods that handle timers of a queue. */
    public List<String> names(String queue) {
        return byQueueAndType.getOrDefault(queue, Map.of()).values().stream()
                .map(Entry::name)
                .toList();
    }

    /** Returns the handlers of each queue. */
    public List<Handlers> all() {
        return byQueueAndType.entrySet().stream()
                .map(queue -> {
                    Handlers.Builder handlers = Handlers.builder().queue(queue.getKey());
                    queue.getValue().forEach((type, entry) -> entry.addTo(handlers, type));
                    return handlers.build();
                })
                .toList();
    }
}
