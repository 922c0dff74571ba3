package dev.duetime.jdbc.internal.port;

import dev.duetime.jdbc.internal.connection.HeldRows;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The deletion of timers that ended before a time. It skips rows that another transaction holds; they are deleted
 * later. Thread-safe.
 */
public final class Deletion {
    private final Transactions transactions;
    private final Dialect dialect;

    public Deletion(Transactions transactions, Dialect dialect) {
        this.transactions = transactions;
        this.dialect = dialect;
    }

    /**
     * Deletes up to {@code limit} timers of a queue, in several transactions if the rows are too large for one. Returns
     * how many.
     */
    public int purge(String queue, Instant before, int limit) {
        if (!dialect.keepsWritesInMemory()) {
            return part(queue, before, limit);
        }
        int deleted = 0;
        for (int rows : LargeRows.parts(sizes(queue, before, limit))) {
            int part = part(queue, before, rows);
            deleted += part;
            if (part < rows) {
                return deleted;
            }
        }
        return deleted;
    }

    private List<Long> sizes(String queue, Instant before, int limit) {
        return transactions.single(
                "purge",
                queue,
                handle -> handle.createQuery(dialect.sql().text("purge_bytes"))
                        .bind("queue", queue)
                        .bind("before", MicrosecondBounds.before(before))
                        .bind("limit", limit)
                        .mapTo(Long.class)
                        .list());
    }

    private int part(String queue, Instant before, int limit) {
        Map<String, Object> parameters =
                Map.of("queue", queue, "before", MicrosecondBounds.before(before), "limit", limit);
        return transactions.run(
                "purge",
                queue,
                handle ->
                        HeldRows.skip(dialect, handle, same -> all(same, parameters), same -> free(same, parameters)));
    }

    /** Returns the queues that have a timer to delete. */
    public Set<String> purgeable(Map<String, Instant> before) {
        List<String> queues = List.copyOf(before.keySet());
        List<String> found = transactions.single("look for ended timers in", "queues", handle -> {
            DriverStatement statement = dialect.sql().driver("purgeable", queues.size());
            return statement.query(
                    handle,
                    (prepared, position, parameter) -> {
                        String queue = queues.get(parameter.number());
                        if (parameter.name().equals("queue")) {
                            prepared.setString(position, queue);
                        } else {
                            prepared.setLong(
                                    position, MicrosecondBounds.before(Objects.requireNonNull(before.get(queue))));
                        }
                    },
                    row -> Objects.requireNonNullElse(row.getString("queue"), ""));
        });
        return found.stream().filter(before::containsKey).collect(Collectors.toUnmodifiableSet());
    }

    private int all(Handle handle, Map<String, Object> parameters) {
        return handle.createUpdate(dialect.sql().text("purge"))
                .bindMap(parameters)
                .execute();
    }

    /** Deletes rows that no transaction holds, for databases that cannot skip the others during a deletion. */
    private int free(Handle handle, Map<String, Object> parameters) {
        if (!dialect.deletesFreeRowsApart()) {
            return 0;
        }
        List<Map<String, Object>> keys = handle.createQuery(dialect.sql().text("purge_free"))
                .bindMap(parameters)
                .map((row, context) -> Map.<String, Object>of(
                        "tenantId", row.getString("tenant_id"),
                        "timerId", row.getString("timer_id"),
                        "scope", row.getString("scope"),
                        "generation", row.getLong("generation")))
                .list();
        return keys.isEmpty()
                ? 0
                : IntStream.of(Batches.count(handle, dialect.sql().text("delete_ended"), keys, each -> each))
                        .sum();
    }
}
