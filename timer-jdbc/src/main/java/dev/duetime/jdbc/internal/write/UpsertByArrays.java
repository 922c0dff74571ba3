package dev.duetime.jdbc.internal.write;

import dev.duetime.TimerKey;
import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.row.Columns;
import dev.duetime.jdbc.internal.row.Revisions;
import dev.duetime.jdbc.internal.row.TimerColumn;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.NewTimer;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * An upsert that gets all timers as an array for each column. A single timer is passed as a row, which costs less. New
 * timers can be inserted in the same way.
 */
public final class UpsertByArrays implements UpsertStatements {
    private static final String UNIQUE_VIOLATION = "23505";

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
        return Revisions.of(
                timers, statement("schedule", waitsBriefly).query(handle, columns(timers), Revisions.Written::of));
    }

    @Override
    public boolean insertsNew() {
        return true;
    }

    @Override
    public void insert(Handle handle, List<NewTimer> timers, boolean waitsBriefly) {
        try {
            if (statement("schedule_new", waitsBriefly).update(handle, columns(timers)) < timers.size()) {
                throw new NotInserted();
            }
        } catch (JdbiException e) {
            if (Errors.cause(e) instanceof SQLException cause && UNIQUE_VIOLATION.equals(cause.getSQLState())) {
                throw new NotInserted();
            }
            throw e;
        }
    }

    private DriverStatement statement(String name, boolean waitsBriefly) {
        return waitsBriefly && waitBriefly != null ? sql.driverAfter(waitBriefly, name) : sql.driver(name);
    }

    private static Columns<NewTimer> columns(List<NewTimer> timers) {
        Columns<NewTimer> columns = new Columns<>(timers);
        for (TimerColumn column : TimerColumn.written()) {
            columns.add(column.parameter(), column.type(), column::value);
        }
        return columns;
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
