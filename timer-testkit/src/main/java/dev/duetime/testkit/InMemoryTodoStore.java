package dev.duetime.testkit;

import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the items of to-do lists in memory, each call in a transaction of its own. Thread-safe: under the lock of the store. */
final class InMemoryTodoStore implements TodoStore {
    private final InMemoryScheduleStore store;

    InMemoryTodoStore(InMemoryScheduleStore store) {
        this.store = store;
    }

    @Override
    public void put(List<TodoItem> items) {
        store.alone(writes -> {
            writes.todos().put(items);
            return true;
        });
    }

    @Override
    public int remove(List<TodoKey> keys) {
        return store.alone(writes -> writes.todos().remove(keys));
    }

    @Override
    public int removeUnmoved(List<TodoItem> items) {
        return store.alone(writes -> writes.todos().removeUnmoved(items));
    }

    @Override
    public Optional<TodoItem> find(TodoKey key) {
        return store.alone(writes -> writes.todos().find(key));
    }

    @Override
    public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
        return store.alone(writes -> writes.todos().overdue(list, now, after, limit));
    }
}
