package dev.duetime.jdbc.internal.port;

import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import dev.duetime.internal.ViewLimits;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The reads of to-do lists for pages of operators. A list costs two short statements. Thread-safe. */
final class ListReads {
    private static final int MOST_LISTS = 100;
    private static final int MOST_COUNTED = 1_000;
    /**
     * Of how many lists 1,000 items are counted. Of the lists after them fewer are, so that 100 lists take under 50 ms.
     */
    private static final int FIRST_LISTS = 20;

    private static final int MOST_COUNTED_LATER = 200;

    private final Transactions transactions;
    private final SqlFiles sql;
    private final ListStore items;

    ListReads(Transactions transactions, SqlFiles sql, ListStore items) {
        this.transactions = transactions;
        this.sql = sql;
        this.items = items;
    }

    List<TodoListSummary> lists(Instant now) {
        Limits.instant("now", now);
        return transactions.single("count", "to-do lists", handle -> {
            List<TodoListSummary> found = new ArrayList<>();
            Optional<String> list = next(handle, "");
            while (list.isPresent() && found.size() < MOST_LISTS) {
                int most = found.size() < FIRST_LISTS ? MOST_COUNTED : MOST_COUNTED_LATER;
                found.add(summary(handle, list.get(), now, most));
                list = next(handle, list.get());
            }
            return found;
        });
    }

    private Optional<String> next(Handle handle, String after) {
        return handle.createQuery(sql.text("next_list"))
                .bind("after", after)
                .mapTo(String.class)
                .findFirst();
    }

    private TodoListSummary summary(Handle handle, String list, Instant now, int most) {
        return handle.createQuery(sql.text("count_items").replace("<most>", Integer.toString(most + 1)))
                .bind("list", list)
                .bind("now", MicrosecondBounds.atMost(now))
                .map((row, context) -> {
                    long first = row.getLong("first_overdue_at");
                    Instant firstAt = row.wasNull() ? null : Micros.ofLong(first);
                    return new TodoListSummary(
                            list, upTo(most, row.getLong("items")), upTo(most, row.getLong("overdue_items")), firstAt);
                })
                .one();
    }

    private static BoundedCount upTo(int most, long found) {
        return new BoundedCount(Math.min(found, most), found <= most);
    }

    List<TodoListSummary.Item> items(String list, TodoListSummary.@Nullable Item after, int limit) {
        ViewLimits.page(limit);
        ListItem last = after == null ? null : new ListItem(new ListKey(list, after.id()), after.overdueAt());
        return items.overdue(list, Limits.LATEST, last, limit).stream()
                .map(item -> new TodoListSummary.Item(item.key().id(), item.overdueAt()))
                .toList();
    }
}
