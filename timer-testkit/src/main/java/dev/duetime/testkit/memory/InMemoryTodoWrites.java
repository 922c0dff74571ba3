package dev.duetime.testkit.memory;

import dev.duetime.StoreException;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The changes of a transaction to the items of to-do lists. Thread-safe: under the lock of the store. */
final class InMemoryTodoWrites implements ListStore {
    private final InMemoryScheduleStore store;
    private final Runnable checkOpen;

    // Mutable state, guarded by the store's lock; empty for no item.
    private final Map<ListKey, Optional<ListItem>> met = new TreeMap<>();
    private final Map<ListKey, Optional<ListItem>> written = new TreeMap<>();

    /**
     * Begins without writes.
     *
     * @param checkOpen throws if the transaction is over
     */
    InMemoryTodoWrites(InMemoryScheduleStore store, Runnable checkOpen) {
        this.store = store;
        this.checkOpen = checkOpen;
    }

    /** Refuses to go on if an item that was written here was changed by others. */
    void checkUntouched(InMemoryTodos todos) {
        met.forEach((key, before) -> {
            if (!before.equals(Optional.ofNullable(todos.get(key)))) {
                throw new StoreException(
                        "commit", key, new ConcurrentModificationException("the item was changed by others meanwhile"));
            }
        });
    }

    /** Makes all writes visible. */
    void commit(InMemoryTodos todos) {
        written.forEach((key, item) -> todos.replace(key, item.orElse(null)));
    }

    @Override
    public void put(List<ListItem> items) {
        onTodos(todos -> {
            items.forEach(item -> write(todos, item.key(), Optional.of(item)));
            return true;
        });
    }

    @Override
    public int remove(List<ListKey> keys) {
        return onTodos(todos -> keys.stream()
                .mapToInt(key -> removeIf(todos, key, item -> true))
                .sum());
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        return onTodos(todos -> items.stream()
                .mapToInt(item -> removeIf(todos, item.key(), item::equals))
                .sum());
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return onTodos(todos -> read(todos, key));
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return onTodos(todos -> {
            if (written.isEmpty()) {
                return todos.overdue(list, now, after, limit);
            }
            NavigableSet<ListItem> seen = todos.list(list);
            seen.removeIf(item -> written.containsKey(item.key()));
            written.values().stream()
                    .flatMap(Optional::stream)
                    .filter(item -> item.key().list().equals(list))
                    .forEach(seen::add);
            return InMemoryTodos.page(seen, now, after, limit);
        });
    }

    private int removeIf(InMemoryTodos todos, ListKey key, Function<ListItem, Boolean> condition) {
        boolean removes = read(todos, key).map(condition).orElse(false);
        if (removes) {
            write(todos, key, Optional.empty());
        }
        return removes ? 1 : 0;
    }

    private Optional<ListItem> read(InMemoryTodos todos, ListKey key) {
        return written.getOrDefault(key, Optional.ofNullable(todos.get(key)));
    }

    private void write(InMemoryTodos todos, ListKey key, Optional<ListItem> item) {
        met.putIfAbsent(key, Optional.ofNullable(todos.get(key)));
        written.put(key, item);
    }

    private <R> R onTodos(Function<InMemoryTodos, R> work) {
        return store.onTable(table -> {
            checkOpen.run();
            return work.apply(table.todos());
        });
    }
}
