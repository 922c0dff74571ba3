package dev.duetime.jdbc;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers.Undecodable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/**
 * Is one due row: a timer, or one that cannot be read.
 *
 * @param shard the shard that it lies in
 * @param wakeAt since when it is due
 * @param timer null if it cannot be read
 * @param undecodable null if it can be read
 */
record DueRow(
        int shard,
        Instant wakeAt,
        @Nullable StoredTimer timer,
        @Nullable Undecodable undecodable) {

    static DueRow of(ResultSet row, StatementContext unused) throws SQLException {
        int shard = row.getInt("shard");
        Instant wakeAt = TimerRows.instant(row, "wake_at");
        try {
            return new DueRow(shard, wakeAt, TimerRows.decoded(row), null);
        } catch (IllegalArgumentException e) {
            Undecodable undecodable = new Undecodable(
                    TimerRows.key(row),
                    row.getLong("generation"),
                    row.getInt("attempt"),
                    String.valueOf(e.getMessage()));
            return new DueRow(shard, wakeAt, null, undecodable);
        }
    }
}
