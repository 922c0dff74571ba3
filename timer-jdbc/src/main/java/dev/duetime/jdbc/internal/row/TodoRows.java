package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Errors;
import dev.duetime.internal.Micros;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The conversion of rows into items. An invalid row is logged once, although each tick reads it again. Thread-safe. */
public final class TodoRows {
    private static final Logger LOG = LoggerFactory.getLogger(TodoRows.class);
    /** The number of logged rows to remember. Beyond it, rows are logged again. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Set<Told> told = ConcurrentHashMap.newKeySet();

    /** Returns the item; null if no item can have this id or time. */
    @Nullable
    public ListItem item(String list, TodoRow row) {
        try {
            if (!row.isWhole()) {
                throw new IllegalArgumentException("id must be UTF-8 but was not");
            }
            return new ListItem(new ListKey(list, row.itemId()), Micros.ofLong(row.overdueAt()));
        } catch (IllegalArgumentException e) {
            logOnce(new Told(list, row), e);
            return null;
        }
    }

    private void logOnce(Told row, IllegalArgumentException reason) {
        if (told.size() >= MOST_REMEMBERED) {
            told.clear();
        }
        if (told.add(row)) {
            LOG.warn(
                    "a row of to-do list {} is skipped, because it is no valid item: {}",
                    row.list,
                    Errors.message(reason));
        }
    }

    private record Told(String list, TodoRow row) {}
}
