package dev.duetime.todolist;

import dev.duetime.internal.UserCode;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListStore;
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
 * An iterator over the overdue items, page by page. Each page begins after the last item of the page before, so items
 * that stay on the list are not read twice. Not thread-safe.
 */
final class OverdueItems implements Iterator<ListItem> {
    static final int PAGE = 100;

    private final ListStore store;
    private final String list;
    private final Instant now;

    // Mutable state.
    private Iterator<ListItem> page = List.<ListItem>of().iterator();
    private @Nullable ListItem last;
    private boolean more = true;

    OverdueItems(ListStore store, String list, Instant now) {
        this.store = store;
        this.list = list;
        this.now = now;
    }

    Stream<ListItem> stream() {
        int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false);
    }

    @Override
    public boolean hasNext() {
        if (!page.hasNext() && more) {
            UserCode.clearInterruptOfEngine(); // Code of the user may have read the page before.
            List<ListItem> read = store.overdue(list, now, last, PAGE);
            page = read.iterator();
            more = read.size() == PAGE;
        }
        return page.hasNext();
    }

    @Override
    public ListItem next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        last = page.next();
        return last;
    }
}
