package dev.duetime.passage;

import dev.duetime.TodoItem;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is overdue page by page, and each page after the last item of the one before: what stays on the list is not
 * read again. Not thread-safe.
 */
final class OverdueItems implements Iterator<TodoItem> {
    static final int PAGE = 100;

    private final TodoStore store;
    private final String list;
    private final Instant now;

    // Mutable state.
    private Iterator<TodoItem> page = List.<TodoItem>of().iterator();
    private @Nullable TodoItem last;
    private boolean more = true;

    OverdueItems(TodoStore store, String list, Instant now) {
        this.store = store;
        this.list = list;
        this.now = now;
    }

    Stream<TodoItem> stream() {
        int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false);
    }

    @Override
    public boolean hasNext() {
        if (!page.hasNext() && more) {
            List<TodoItem> read = store.overdue(list, now, last, PAGE);
            page = read.iterator();
            more = read.size() == PAGE;
        }
        return page.hasNext();
    }

    @Override
    public TodoItem next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        last = page.next();
        return last;
    }
}
