package dev.duetime.testkit.memory;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The committed items of to-do lists. Not thread-safe: its store holds a lock. */
final class InMemoryTodos {
    private static final Comparator<ListItem> OLDEST_FIRST = Comparator.comparing(ListItem::overdueAt)
            .thenComparing(item -> item.key().id());

    private final SortedMap<ListKey, ListItem> byKey = new TreeMap<>();
    private final SortedMap<String, NavigableSet<ListItem>> byTime = new TreeMap<>();

    @Nullable
    ListItem get(ListKey key) {
        return byKey.get(key);
    }

    /** Returns all items of all lists. */
    List<ListItem> all() {
        return List.copyOf(byKey.values());
    }

    /** Puts what is given under the key; null for nothing. */
    void replace(ListKey key, @Nullable ListItem item) {
        ListItem before = item == null ? byKey.remove(key) : byKey.put(key, item);
        NavigableSet<ListItem> list = byTime.computeIfAbsent(key.list(), unused -> new TreeSet<>(OLDEST_FIRST));
        if (before != null) {
            list.remove(before);
        }
        if (item != null) {
            list.add(item);
        }
    }

    /** Returns a copy of all items of one list, the oldest first. */
    NavigableSet<ListItem> list(String name) {
        NavigableSet<ListItem> list = new TreeSet<>(OLDEST_FIRST);
        list.addAll(byTime.getOrDefault(name, list));
        return list;
    }

    /** Returns one page of a list. */
    List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return page(byTime.getOrDefault(list, new TreeSet<>(OLDEST_FIRST)), now, after, limit);
    }

    /** Returns one page of items that are sorted as {@link #list} does. */
    static List<ListItem> page(NavigableSet<ListItem> sorted, Instant now, @Nullable ListItem after, int limit) {
        NavigableSet<ListItem> rest = after == null ? sorted : sorted.tailSet(after, false);
        return rest.stream()
                .takeWhile(item -> !item.overdueAt().isAfter(now))
                .limit(limit)
                .toList();
    }
}
