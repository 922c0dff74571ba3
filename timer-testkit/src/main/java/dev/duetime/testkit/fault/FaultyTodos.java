package dev.duetime.testkit.fault;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The items of to-do lists as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyTodos implements ListStore {
    private final ListStore todos;
    private final StoreFaults faults;

    FaultyTodos(ListStore todos, StoreFaults faults) {
        this.todos = todos;
        this.faults = faults;
    }

    @Override
    public void put(List<ListItem> items) {
        faults.run(StoreCall.PUT_TODOS, () -> todos.put(items));
    }

    @Override
    public int remove(List<ListKey> keys) {
        return faults.call(StoreCall.REMOVE_TODOS, () -> todos.remove(keys));
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        return faults.call(StoreCall.REMOVE_UNMOVED_TODOS, () -> todos.removeUnmoved(items));
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return faults.call(StoreCall.FIND_TODO, () -> todos.find(key));
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return faults.call(StoreCall.OVERDUE_TODOS, () -> todos.overdue(list, now, after, limit));
    }
}
