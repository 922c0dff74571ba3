package dev.duetime.testkit;

import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Holds the committed items of to-do lists. Not thread-safe: its store holds a lock. */
final class InMemoryTodos {
    private static final Comparator<TodoItem> OLDEST_FIRST = Comparator.comparing(TodoItem::overdueAt)
            .thenComparing(item -> item.key().id());

    private final SortedMap<TodoKey, TodoItem> byKey = new TreeMap<>();
    private final SortedMap<String, NavigableSet<TodoItem>> byTime = new TreeMap<>();

    @Nullable
    TodoItem get(TodoKey key) {
        return byKey.get(key);
    }

    /** Puts what is given under the key; null for nothing. */
    void replace(TodoKey key, @Nullable TodoItem item) {
        TodoItem before = item == null ? byKey.remove(key) : byKey.put(key, item);
        NavigableSet<TodoItem> list = byTime.computeIfAbsent(key.list(), unused -> new TreeSet<>(OLDEST_FIRST));
        if (before != null) {
            list.remove(before);
        }
        if (item != null) {
            list.add(item);
        }
    }

    /** Returns a copy of all items of one list, the oldest first. */
    NavigableSet<TodoItem> list(String name) {
        NavigableSet<TodoItem> list = new TreeSet<>(OLDEST_FIRST);
        list.addAll(byTime.getOrDefault(name, list));
        return list;
    }

    /** Returns one page of a list. */
    List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
        return page(byTime.getOrDefault(list, new TreeSet<>(OLDEST_FIRST)), now, after, limit);
    }

    /** Returns one page of items that are sorted as {@link #list} does. */
    static List<TodoItem> page(NavigableSet<TodoItem> sorted, Instant now, @Nullable TodoItem after, int limit) {
        NavigableSet<TodoItem> rest = after == null ? sorted : sorted.tailSet(after, false);
        return rest.stream()
                .takeWhile(item -> !item.overdueAt().isAfter(now))
                .limit(limit)
                .toList();
    }
}
