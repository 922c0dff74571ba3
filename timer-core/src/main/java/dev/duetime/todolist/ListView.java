package dev.duetime.todolist;

import dev.duetime.Timers;
import dev.duetime.internal.Limits;
import dev.duetime.internal.UserCode;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A to-do list in its own transactions or in a caller's transaction. As thread-safe as the store that it is given. */
record ListView<I>(ItemIds<I> ids, ListStore store, Timers timers) implements ListItems<I> {

    @Override
    public void add(I id, Duration timeoutAfter) {
        add(id, timers.now().plus(Limits.delay("timeoutAfter", timeoutAfter)));
    }

    @Override
    public void add(I id, Instant overdueAt) {
        put(List.of(new ListItem(ids.key(id), overdueAt)));
    }

    @Override
    public void addAll(Map<? extends I, Instant> items) {
        List<ListItem> given = new ArrayList<>(items.size());
        items.forEach((id, overdueAt) -> given.add(new ListItem(ids.key(id), overdueAt)));
        put(given);
    }

    private void put(List<ListItem> items) {
        UserCode.clearInterruptOfEngine(); // The functions of the ids may have left it behind.
        store.put(items);
    }

    @Override
    public boolean done(I id) {
        return remove(List.of(ids.key(id))) > 0;
    }

    @Override
    public int doneAll(Collection<? extends I> closed) {
        return remove(closed.stream().map(ids::key).toList());
    }

    private int remove(List<ListKey> keys) {
        UserCode.clearInterruptOfEngine();
        return store.remove(keys);
    }

    @Override
    public Stream<I> overdue(Instant now) {
        return new OverdueItems(store, ids.list(), Limits.given("now", now))
                .stream().map(ids::of);
    }
}
