package dev.duetime.jdbc.internal.write;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.Revisions;
import dev.duetime.jdbc.internal.row.Revisions.Written;
import dev.duetime.jdbc.internal.row.TimerColumn;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.DriverStatement.Binder;
import dev.duetime.jdbc.internal.sql.DriverStatement.Parameter;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.NewTimer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * An upsert that gets each timer as its own row, so that a distributed database knows where each row belongs. A batch
 * is a few statements. They come in a few sizes, so that each is parsed once and cached.
 */
public final class UpsertByRows implements UpsertStatements {
    /** The most rows in one statement: a row has 22 values, and PostgreSQL takes at most 65,535 in a statement. */
    private static final int MOST = 512;

    private final SqlFiles sql;
    private final @Nullable String waitBriefly;

    /**
     * Creates the statements.
     *
     * @param waitBriefly the SQL file that limits the waits of the rest of its transaction; null for none
     */
    public UpsertByRows(SqlFiles sql, @Nullable String waitBriefly) {
        this.sql = sql;
        this.waitBriefly = waitBriefly;
    }

    @Override
    public int[] write(Handle handle, List<NewTimer> timers, boolean waitsBriefly) {
        List<Written> written = new ArrayList<>(timers.size());
        for (int from = 0; from < timers.size(); ) {
            int rows = ofOneStatement(timers.size() - from);
            List<NewTimer> some = timers.subList(from, from + rows);
            Binder binder = (prepared, position, parameter) ->
                    bind(prepared, position, parameter, some.get(parameter.number()));
            DriverStatement statement = waitsBriefly && waitBriefly != null
                    ? sql.driverAfter(waitBriefly, "schedule_rows", rows)
                    : sql.driver("schedule_rows", rows);
            written.addAll(statement.query(handle, binder, Written::of));
            from += rows;
        }
        return Revisions.of(timers, written);
    }

    /**
     * Returns how many of the rows go into the next statement: a number with three significant bits. Few numbers are
     * so, and 500 rows take three statements.
     */
    public static int ofOneStatement(int rows) {
        int most = Math.min(MOST, rows);
        return most - most % Math.max(1, Integer.highestOneBit(most) / 4);
    }

    private static void bind(PreparedStatement statement, int position, Parameter parameter, NewTimer timer)
            throws SQLException {
        TimerColumn column = TimerColumn.ofParameter(parameter.name());
        column.type().bind(statement, position, column.value(timer));
    }

    @Override
    public <R> List<R> standing(Handle handle, List<TimerKey> keys, DriverStatement.RowReader<R> row) {
        List<R> standing = new ArrayList<>();
        for (KeyList some : KeyList.split(keys)) {
            standing.addAll(some.query(handle, sql, "standing")
                    .map((found, unused) -> row.read(found))
                    .list());
        }
        return standing;
    }
}
