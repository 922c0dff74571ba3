package dev.duetime.jdbc;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueTimers.Undecodable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

    static DueRow of(ResultSet row) throws SQLException {
        int shard = TimerColumn.SHARD.integer(row);
        Instant wakeAt = TimerColumn.WAKE_AT.instant(row);
        TimerKey key = TimerRows.keyOrNull(
                TimerColumn.TENANT_ID.text(row), TimerColumn.TIMER_ID.text(row), TimerColumn.SCOPE.text(row));
        if (key == null) {
            String reason = "key must be one of a timer but was " + TimerRows.keyText(row);
            return new DueRow(shard, wakeAt, null, undecodable(null, row, reason));
        }
        StandingRow standing = StandingRow.of(row, key);
        String problem = standing.problem();
        return problem == null
                ? new DueRow(shard, wakeAt, standing.timer(), null)
                : new DueRow(shard, wakeAt, null, undecodable(key, row, problem));
    }

    private static Undecodable undecodable(@Nullable TimerKey key, ResultSet row, String reason) throws SQLException {
        return new Undecodable(key, TimerColumn.GENERATION.bigint(row), TimerColumn.ATTEMPT.integer(row), reason);
    }
}
