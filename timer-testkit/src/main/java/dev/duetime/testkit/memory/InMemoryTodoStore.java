package dev.duetime.testkit.memory;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The items of to-do lists in memory, each call in its own transaction. Thread-safe: under the lock of the store. */
final class InMemoryTodoStore implements ListStore {
    private final InMemoryScheduleStore store;

    InMemoryTodoStore(InMemoryScheduleStore store) {
        this.store = store;
    }

    @Override
    public void put(List<ListItem> items) {
        store.alone(writes -> {
            writes.todos().put(items);
            return true;
        });
    }

    @Override
    public int remove(List<ListKey> keys) {
        return store.alone(writes -> writes.todos().remove(keys));
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        return store.alone(writes -> writes.todos().removeUnmoved(items));
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return store.alone(writes -> writes.todos().find(key));
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return store.alone(writes -> writes.todos().overdue(list, now, after, limit));
    }
}
