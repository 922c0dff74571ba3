package dev.duetime.jdbc.internal.write;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.Columns;
import dev.duetime.jdbc.internal.row.Revisions;
import dev.duetime.jdbc.internal.row.TimerColumn;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.NewTimer;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** An upsert that gets all timers as an array for each column. A single timer is passed as a row, which costs less. */
public final class UpsertByArrays implements UpsertStatements {
    private final SqlFiles sql;
    private final @Nullable String waitBriefly;
    private final UpsertByRows rows;

    /**
     * Creates the statements.
     *
     * @param waitBriefly the SQL file that limits the waits of the rest of its transaction; null for none
     */
    public UpsertByArrays(SqlFiles sql, @Nullable String waitBriefly) {
        this.sql = sql;
        this.waitBriefly = waitBriefly;
        rows = new UpsertByRows(sql, waitBriefly);
    }

    @Override
    public int[] write(Handle handle, List<NewTimer> timers, boolean waitsBriefly) {
        if (timers.size() == 1) {
            return rows.write(handle, timers, waitsBriefly);
        }
        Columns<NewTimer> columns = new Columns<>(timers);
        for (TimerColumn column : TimerColumn.written()) {
            columns.add(column.parameter(), column.type(), column::value);
        }
        DriverStatement statement =
                waitsBriefly && waitBriefly != null ? sql.driverAfter(waitBriefly, "schedule") : sql.driver("schedule");
        return Revisions.of(timers, statement.query(handle, columns, Revisions.Written::of));
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
