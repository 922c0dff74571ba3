package dev.duetime.store.hosts;

import dev.duetime.StableHash;
import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each item of a to-do list on the host that its id says, or where it stands already; a call that concerns several hosts
 * is atomic on each of them. As thread-safe as what it writes
 * by.
 */
final class HostTodos implements TodoStore {
    private static final Comparator<TodoItem> OLDEST_FIRST =
            Comparator.comparing(TodoItem::overdueAt).thenComparing(TodoItem::key);

    private final HostSet set;
    private final Function<String, TodoStore> reads;
    private final UnaryOperator<String> checked;

    /**
     * Creates it.
     *
     * @param reads what reads on a host, and writes if that may be
     * @param checked returns the host if it may be written to, or throws
     */
    HostTodos(HostSet set, Function<String, TodoStore> reads, UnaryOperator<String> checked) {
        this.set = set;
        this.reads = reads;
        this.checked = checked;
    }

    @Override
    public void put(List<TodoItem> items) {
        SortedMap<String, List<TodoItem>> places = new TreeMap<>();
        for (TodoItem item : items) {
            String place = checked.apply(place(item.key()));
            places.computeIfAbsent(place, host -> new ArrayList<>()).add(item);
        }
        places.forEach((host, part) -> set.call(host, () -> {
            reads.apply(host).put(part);
            return host;
        }));
    }

    private String place(TodoKey key) {
        List<String> homes = homes(key);
        return homes.size() == 1 ? homes.get(0) : standing(key, homes).orElse(homes.get(0));
    }

    private List<String> homes(TodoKey key) {
        return set.ranking().homes(StableHash.of(key.id()));
    }

    private Optional<String> standing(TodoKey key, List<String> homes) {
        return homes.stream()
                .filter(host ->
                        set.call(host, () -> reads.apply(host).find(key)).isPresent())
                .findFirst();
    }

    @Override
    public int remove(List<TodoKey> keys) {
        return remove(keys, Function.identity(), TodoStore::remove);
    }

    @Override
    public int removeUnmoved(List<TodoItem> items) {
        return remove(items, TodoItem::key, TodoStore::removeUnmoved);
    }

    private <T> int remove(List<T> all, Function<T, TodoKey> key, ToIntBiFunction<TodoStore, List<T>> remove) {
        SortedMap<String, List<T>> places = new TreeMap<>();
        for (T each : all) {
            String place = checked.apply(place(key.apply(each)));
            places.computeIfAbsent(place, host -> new ArrayList<>()).add(each);
        }
        int removed = 0;
        for (String host : places.keySet()) {
            List<T> part = places.getOrDefault(host, List.of());
            removed += set.call(host, () -> remove.applyAsInt(reads.apply(host), part));
        }
        return removed;
    }

    @Override
    public Optional<TodoItem> find(TodoKey key) {
        return standing(key, homes(key))
                .flatMap(host -> set.call(host, () -> reads.apply(host).find(key)));
    }

    @Override
    public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
        return set.hosts().keySet().stream()
                .flatMap(host -> set.call(host, () -> reads.apply(host).overdue(list, now, after, limit)).stream())
                .sorted(OLDEST_FIRST)
                .limit(limit)
                .toList();
    }
}
