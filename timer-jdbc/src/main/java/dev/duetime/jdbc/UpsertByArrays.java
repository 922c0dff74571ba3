package dev.duetime.jdbc;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Gives all timers to one statement, as an array for each column; a single one as a row, which costs less. */
final class UpsertByArrays implements UpsertStatements {
    private final SqlFiles sql;
    private final UpsertByRows rows;

    UpsertByArrays(SqlFiles sql) {
        this.sql = sql;
        rows = new UpsertByRows(sql);
    }

    @Override
    public int[] write(Handle handle, List<NewTimer> timers) {
        if (timers.size() == 1) {
            return rows.write(handle, timers);
        }
        Columns<NewTimer> columns = new Columns<>(timers);
        for (TimerColumn column : TimerColumn.written()) {
            columns.add(column.parameter(), column.type(), column::value);
        }
        return Revisions.of(timers, sql.driver("schedule").query(handle, columns, Revisions.Written::of));
    }

    @Override
    public <R> List<R> standing(Handle handle, List<TimerKey> keys, DriverStatement.RowReader<R> row) {
        Columns<TimerKey> columns = new Columns<>(keys)
                .text("tenantId", TimerKey::tenantId)
                .text("timerId", TimerKey::timerId)
                .text("scope", TimerKey::scope);
        return sql.driver("standing").query(handle, columns, row);
    }
}
