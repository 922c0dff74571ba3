package dev.duetime.passage;

import dev.duetime.Timers;
import dev.duetime.TodoItem;
import dev.duetime.store.TodoStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Is a list in transactions of its own or in a caller's. As thread-safe as these. */
record TodoView<I>(TodoIds<I> ids, TodoStore store, Timers timers) implements TodoItems<I> {

    @Override
    public void add(I id, Duration timeoutAfter) {
        store.put(List.of(TodoItem.after(ids.key(id), timers.now(), timeoutAfter)));
    }

    @Override
    public void add(I id, Instant overdueAt) {
        store.put(List.of(new TodoItem(ids.key(id), overdueAt)));
    }

    @Override
    public void addAll(Map<? extends I, Instant> items) {
        List<TodoItem> given = new ArrayList<>(items.size());
        items.forEach((id, overdueAt) -> given.add(new TodoItem(ids.key(id), overdueAt)));
        store.put(given);
    }

    @Override
    public boolean done(I id) {
        return store.remove(List.of(ids.key(id))) > 0;
    }

    @Override
    public int doneAll(Collection<? extends I> closed) {
        return store.remove(closed.stream().map(ids::key).toList());
    }

    @Override
    public Stream<I> overdue(Instant now) {
        return new OverdueItems(store, ids.list(), ArgumentLimits.given("now", now))
                .stream().map(ids::of);
    }
}
