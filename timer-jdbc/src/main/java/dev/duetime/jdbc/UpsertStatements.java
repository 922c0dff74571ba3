package dev.duetime.jdbc;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Gives timers to an upsert that decides by itself what to write. Implementations are thread-safe. */
interface UpsertStatements {

    /** Writes those of distinct, sorted timers that the condition lets through; returns their revisions. */
    Map<TimerKey, Integer> write(Handle handle, List<NewTimer> timers);

    /** Reads what stands under keys that were held back; each row has its key, {@code state} and {@code generation}. */
    <R> List<R> standing(Handle handle, List<TimerKey> keys, RowReader<R> row);

    /** Returns what {@code RETURNING} says of one row. */
    static Map.Entry<TimerKey, Integer> written(ResultSet row, StatementContext unused) throws SQLException {
        return Map.entry(TimerRows.key(row), row.getInt("revision"));
    }

    /** Reads one row. */
    @FunctionalInterface
    interface RowReader<R> {
        R read(ResultSet row) throws SQLException;
    }
}
