package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.Occurrence.Outcome;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import dev.duetime.internal.ViewLimits;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.Columns;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The history of recurring timers, in {@code timer_occurrences}. Thread-safe. */
final class History {
    private final Transactions transactions;
    private final BriefWrites writing;
    private final SqlFiles sql;
    private final boolean takesArrays;

    History(Transactions transactions, BriefWrites writing, Dialect dialect) {
        this.transactions = transactions;
        this.writing = writing;
        sql = dialect.sql();
        takesArrays = dialect.takesArrays();
    }

    private record Key(TimerKey timer, Instant dueAt) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::timer).thenComparing(Key::dueAt);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Writes the rows in order of their keys, so that two nodes do not wait for each other in a circle. */
    void put(List<Occurrence> occurrences) {
        Map<Key, Occurrence> last = new TreeMap<>();
        occurrences.forEach(each -> last.put(new Key(each.key(), each.dueAt()), each));
        List<Occurrence> sorted = List.copyOf(last.values());
        if (sorted.isEmpty()) {
            return;
        }
        writing.run("write", "occurrences", handle -> {
            if (takesArrays) {
                return sql.driver("put_occurrences").update(handle, columns(sorted));
            }
            int[] updated = Batches.count(handle, sql.text("update_occurrence"), sorted, History::parameters);
            List<Occurrence> first = new ArrayList<>();
            for (int i = 0; i < updated.length; i++) {
                if (updated[i] == 0) {
                    first.add(sorted.get(i));
                }
            }
            if (!first.isEmpty()) {
                Batches.execute(handle, sql.text("insert_occurrence"), first, History::parameters);
            }
            return sorted.size();
        });
    }

    private static Columns<Occurrence> columns(List<Occurrence> occurrences) {
        return new Columns<>(occurrences)
                .text("tenantId", each -> each.key().tenantId())
                .text("timerId", each -> each.key().timerId())
                .text("scope", each -> each.key().scope())
                .instant("dueAt", Occurrence::dueAt)
                .text("outcome", each -> each.outcome().name())
                .instant("endedAt", Occurrence::endedAt)
                .integer("attempts", Occurrence::attempts)
                .text("error", Occurrence::error);
    }

    private static Map<String, @Nullable Object> parameters(Occurrence occurrence) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("tenantId", occurrence.key().tenantId());
        parameters.put("timerId", occurrence.key().timerId());
        parameters.put("scope", occurrence.key().scope());
        parameters.put("dueAt", Micros.toLong(occurrence.dueAt()));
        parameters.put("outcome", occurrence.outcome().name());
        parameters.put("endedAt", Micros.toLong(occurrence.endedAt()));
        parameters.put("attempts", occurrence.attempts());
        parameters.put("error", occurrence.error());
        return parameters;
    }

    List<Occurrence> of(TimerKey key) {
        Limits.given("key", key);
        return transactions.single(
                "read",
                key,
                handle -> handle
                        .createQuery(sql.text("occurrences"))
                        .bind("tenantId", key.tenantId())
                        .bind("timerId", key.timerId())
                        .bind("scope", key.scope())
                        .bind("limit", ViewLimits.OCCURRENCES)
                        .map((row, context) -> occurrence(key, row))
                        .stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    /** Returns nothing for an outcome that this version does not know. */
    private static Optional<Occurrence> occurrence(TimerKey key, ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        Instant dueAt = Micros.ofLong(row.getLong("due_at"));
        Instant endedAt = Micros.ofLong(row.getLong("ended_at"));
        int attempts = row.getInt("attempts");
        String error = row.getString("error");
        return Arrays.stream(Outcome.values())
                .filter(each -> each.name().equals(outcome))
                .findFirst()
                .map(each -> new Occurrence(key, dueAt, each, endedAt, attempts, error));
    }

    /** Deletes what ended before a time, no more than the limit. Returns how many rows. */
    int forget(Instant before, int limit) {
        return writing.run(
                "delete",
                "occurrences",
                handle -> handle.createUpdate(sql.text("delete_occurrences"))
                        .bind("before", Micros.toLong(before))
                        .bind("limit", limit)
                        .execute());
    }
}
