package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerQuery;
import dev.duetime.internal.ErrorClass;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.row.StandingRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A test of the conditions that no index answers. */
final class VersionFilter {

    private VersionFilter() {}

    static boolean matches(ResultSet row, TimerQuery asked, @Nullable Instant endedBefore) throws SQLException {
        String state = row.getString("state");
        return StandingRow.isKnown(state)
                && (asked.state() == null || asked.state().name().equals(state))
                && (asked.queue() == null || asked.queue().equals(row.getString("queue")))
                && (asked.type() == null || asked.type().equals(row.getString("type")))
                && isDue(row.getLong("due_at"), asked)
                && matches(row, asked.filters())
                && (endedBefore == null || endedBefore(row, MicrosecondBounds.before(endedBefore)));
    }

    /** The statement reads a column of a filter only if it is asked for. */
    private static boolean matches(ResultSet row, TimerQuery.Filters filters) throws SQLException {
        String prefix = filters.idPrefix();
        return (prefix == null || row.getString("timer_id").startsWith(prefix))
                && equal(filters.correlationId(), row, "correlation_id")
                && equal(filters.parallelKey(), row, "parallel_key")
                && (filters.errorClass() == null || isOfClass(row.getString("error"), filters.errorClass()));
    }

    private static boolean equal(@Nullable String wanted, ResultSet row, String column) throws SQLException {
        return wanted == null || wanted.equals(row.getString(column));
    }

    private static boolean isOfClass(@Nullable String error, String wanted) {
        return error != null && ErrorClass.of(error).equals(wanted);
    }

    private static boolean isDue(long dueAt, TimerQuery asked) {
        return (asked.dueFrom() == null || dueAt >= MicrosecondBounds.before(asked.dueFrom()))
                && (asked.dueBefore() == null || dueAt < MicrosecondBounds.before(asked.dueBefore()));
    }

    private static boolean endedBefore(ResultSet row, long bound) throws SQLException {
        long settledAt = row.getLong("settled_at");
        return !row.wasNull() && settledAt < bound;
    }
}
