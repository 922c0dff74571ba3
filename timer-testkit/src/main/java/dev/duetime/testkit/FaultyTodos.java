package dev.duetime.testkit;

import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Is the items of to-do lists as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyTodos implements TodoStore {
    private final TodoStore todos;
    private final StoreFaults faults;

    FaultyTodos(TodoStore todos, StoreFaults faults) {
        this.todos = todos;
        this.faults = faults;
    }

    @Override
    public void put(List<TodoItem> items) {
        faults.run(StoreCall.PUT_TODOS, () -> todos.put(items));
    }

    @Override
    public int remove(List<TodoKey> keys) {
        return faults.call(StoreCall.REMOVE_TODOS, () -> todos.remove(keys));
    }

    @Override
    public int removeUnmoved(List<TodoItem> items) {
        return faults.call(StoreCall.REMOVE_UNMOVED_TODOS, () -> todos.removeUnmoved(items));
    }

    @Override
    public Optional<TodoItem> find(TodoKey key) {
        return faults.call(StoreCall.FIND_TODO, () -> todos.find(key));
    }

    @Override
    public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
        return faults.call(StoreCall.OVERDUE_TODOS, () -> todos.overdue(list, now, after, limit));
    }
}
