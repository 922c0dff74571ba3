package dev.duetime.jdbc.internal.port;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.row.TodoRow;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The items of to-do lists, in the store's own transactions or in a caller's. As thread-safe as the transactions. */
final class JdbcListStore implements ListStore {
    private final Transactions transactions;
    /** For the ticks: an item whose row is held delays no other. */
    private final Transactions brief;

    private final Dialect dialect;
    private final SqlFiles sql;
    private final TodoRows rows;

    JdbcListStore(Transactions transactions, Transactions brief, Dialect dialect, TodoRows rows) {
        this.transactions = transactions;
        this.brief = brief;
        this.dialect = dialect;
        this.sql = dialect.sql();
        this.rows = rows;
    }

    @Override
    public void put(List<ListItem> items) {
        Map<ListKey, ListItem> last = new TreeMap<>();
        items.forEach(item -> last.put(item.key(), item));
        if (!last.isEmpty()) {
            write(transactions, "put", items(last.values()), handle -> {
                Batches.execute(handle, sql.text("put_todo"), List.copyOf(last.values()), JdbcListStore::parameters);
                return true;
            });
        }
    }

    @Override
    public int remove(List<ListKey> keys) {
        return remove(transactions, "remove_todo", new TreeSet<>(keys), JdbcListStore::parameters);
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        List<ListItem> sorted =
                items.stream().sorted(Comparator.comparing(ListItem::key)).toList();
        return remove(brief, "remove_unmoved_todo", sorted, JdbcListStore::parameters);
    }

    /** Runs one statement an item, sorted by key so that concurrent calls lock in the same order. */
    private <T> int remove(
            Transactions in,
            String statement,
            Collection<T> sorted,
            Function<T, Map<String, @Nullable Object>> parameters) {
        return sorted.isEmpty()
                ? 0
                : write(
                        in,
                        "remove",
                        items(sorted),
                        handle -> IntStream.of(
                                        Batches.count(handle, sql.text(statement), List.copyOf(sorted), parameters))
                                .sum());
    }

    /** In its own transactions, the store waits for held rows in short tries. */
    private <T> T write(Transactions in, String operation, String subject, Work<T> work) {
        return in.run(
                operation, subject, handle -> in.isBrief() ? dialect.brieflyInTotal(handle, work) : work.run(handle));
    }

    private static String items(Collection<?> items) {
        return items.size() + " items of to-do lists";
    }

    private static Map<String, @Nullable Object> parameters(ListItem item) {
        Map<String, @Nullable Object> parameters = parameters(item.key());
        parameters.put("overdueAt", Micros.toLong(item.overdueAt()));
        return parameters;
    }

    private static Map<String, @Nullable Object> parameters(ListKey key) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("list", key.list());
        parameters.put("itemId", key.id());
        return parameters;
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return transactions.single(
                "find",
                key,
                handle -> handle.createQuery(sql.text("find_todo"))
                        .bind("list", key.list())
                        .bind("itemId", key.id())
                        .map((row, context) -> TodoRow.of(row))
                        .findOne()
                        .map(row -> rows.item(key.list(), row)));
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        TodoRow from = after == null ? TodoRow.FIRST : TodoRow.of(after);
        return transactions.single("read to-do list", list, handle -> page(handle, list, now, from, limit));
    }

    /**
     * Reads until the page is full. Invalid rows are skipped, and logged once. A read goes on after the last row that a
     * statement can name, and is larger by the rows behind it.
     */
    private List<ListItem> page(Handle handle, String list, Instant now, TodoRow after, int limit) {
        List<ListItem> page = new ArrayList<>();
        TodoRow from = after;
        int repeated = 0;
        while (true) {
            int missing = limit - page.size() + 2 * repeated;
            List<TodoRow> read = handle.createQuery(sql.text("overdue_todos"))
                    .bind("list", list)
                    .bind("now", MicrosecondBounds.atMost(now))
                    .bind("afterOverdueAt", from.overdueAt())
                    .bind("afterItemId", from.itemId())
                    .bind("limit", missing)
                    .map((row, context) -> TodoRow.of(row))
                    .list();
            read.stream()
                    .map(row -> rows.item(list, row))
                    .filter(Objects::nonNull)
                    .forEach(page::add);
            if (read.size() < missing || page.size() >= limit) {
                return page.subList(0, Math.min(limit, page.size()));
            }
            int named = lastNamed(read);
            from = named < 0 ? from : read.get(named);
            repeated = read.size() - 1 - named;
        }
    }

    /** Returns the place of the last row that a statement can name; -1 if there is none. */
    private static int lastNamed(List<TodoRow> read) {
        int last = read.size() - 1;
        while (last >= 0 && !read.get(last).isWhole()) {
            last--;
        }
        return last;
    }
}
