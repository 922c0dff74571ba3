package dev.duetime.testkit;

import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hands every call on; a test overrides what it wants to go wrong. */
class PassThroughTodos implements TodoStore {
    final TodoStore intact;

    PassThroughTodos(TodoStore intact) {
        this.intact = intact;
    }

    @Override
    public void put(List<TodoItem> items) {
        intact.put(items);
    }

    @Override
    public int remove(List<TodoKey> keys) {
        return intact.remove(keys);
    }

    @Override
    public int removeUnmoved(List<TodoItem> items) {
        return intact.removeUnmoved(items);
    }

    @Override
    public Optional<TodoItem> find(TodoKey key) {
        return intact.find(key);
    }

    @Override
    public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
        return intact.overdue(list, now, after, limit);
    }
}
