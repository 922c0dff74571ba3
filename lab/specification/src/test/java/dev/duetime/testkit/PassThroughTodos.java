package dev.duetime.testkit;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store of to-do lists that passes on every call. A test overrides what should go wrong. */
public class PassThroughTodos implements ListStore {
    final ListStore intact;

    public PassThroughTodos(ListStore intact) {
        this.intact = intact;
    }

    @Override
    public void put(List<ListItem> items) {
        intact.put(items);
    }

    @Override
    public int remove(List<ListKey> keys) {
        return intact.remove(keys);
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        return intact.removeUnmoved(items);
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return intact.find(key);
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return intact.overdue(list, now, after, limit);
    }
}
