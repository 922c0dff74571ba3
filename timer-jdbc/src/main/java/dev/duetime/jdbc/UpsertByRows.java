package dev.duetime.jdbc;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Gives each timer to the statement as a row of its own, so that a distributed database sees where each belongs. A
 * batch is a few statements, whose numbers of rows are few as well: each is parsed once and remembered.
 */
final class UpsertByRows implements UpsertStatements {
    /** 18 values a row; PostgreSQL takes at most 65,535 a statement. */
    private static final int MOST = 512;

    private final SqlFiles sql;

    UpsertByRows(SqlFiles sql) {
        this.sql = sql;
    }

    @Override
    public Map<TimerKey, Integer> write(Handle handle, List<NewTimer> timers) {
        Map<TimerKey, Integer> revisions = new HashMap<>();
        for (int from = 0; from < timers.size(); ) {
            int rows = ofOneStatement(timers.size() - from);
            upsert(handle, timers.subList(from, from + rows))
                    .map(UpsertStatements::written)
                    .forEach(written -> revisions.put(written.getKey(), written.getValue()));
            from += rows;
        }
        return revisions;
    }

    /** Returns a number with three significant bits: of those up to 512 there are 32, and 500 rows are three statements. */
    static int ofOneStatement(int rows) {
        int most = Math.min(MOST, rows);
        return most - most % Math.max(1, Integer.highestOneBit(most) / 4);
    }

    private Query upsert(Handle handle, List<NewTimer> rows) {
        Query upsert = handle.createQuery(sql.text("schedule", rows.size()));
        for (int i = 0; i < rows.size(); i++) {
            NewTimer timer = rows.get(i);
            Map<String, @Nullable Object> parameters = TimerRows.parameters(timer);
            parameters.put("rearm", timer.rearm());
            for (Map.Entry<String, @Nullable Object> each : parameters.entrySet()) {
                upsert.bind(each.getKey() + i, each.getValue());
            }
        }
        return upsert;
    }

    @Override
    public <R> List<R> standing(Handle handle, List<TimerKey> keys, RowReader<R> row) {
        List<R> standing = new ArrayList<>();
        for (KeyList some : KeyList.split(keys)) {
            standing.addAll(some.query(handle, sql, "standing")
                    .map((found, unused) -> row.read(found))
                    .list());
        }
        return standing;
    }
}
