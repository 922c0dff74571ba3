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

/** The reads of to-do lists for pages of operators. A list costs three short statements. Thread-safe. */
final class ListReads {
    private static final int MOST_LISTS = 100;
    private static final int MOST_COUNTED = 1_000;

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
                found.add(summary(handle, list.get(), now));
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

    private TodoListSummary summary(Handle handle, String list, Instant now) {
        Counted open = count(handle, list, Long.MAX_VALUE);
        return new TodoListSummary(
                list,
                open.items(),
                count(handle, list, MicrosecondBounds.atMost(now)).items(),
                open.first());
    }

    private Counted count(Handle handle, String list, long until) {
        return handle.createQuery(sql.text("count_items").replace("<most>", Integer.toString(MOST_COUNTED + 1)))
                .bind("list", list)
                .bind("until", until)
                .map((row, context) -> {
                    long first = row.getLong("first_overdue_at");
                    Instant firstAt = row.wasNull() ? null : Micros.ofLong(first);
                    long found = row.getLong("items");
                    return new Counted(new BoundedCount(Math.min(found, MOST_COUNTED), found <= MOST_COUNTED), firstAt);
                })
                .one();
    }

    private record Counted(BoundedCount items, @Nullable Instant first) {}

    List<TodoListSummary.Item> items(String list, TodoListSummary.@Nullable Item after, int limit) {
        ViewLimits.page(limit);
        ListItem last = after == null ? null : new ListItem(new ListKey(list, after.id()), after.overdueAt());
        return items.overdue(list, Limits.LATEST, last, limit).stream()
                .map(item -> new TodoListSummary.Item(item.key().id(), item.overdueAt()))
                .toList();
    }
}
