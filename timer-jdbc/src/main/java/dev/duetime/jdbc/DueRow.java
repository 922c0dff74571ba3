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
        int shard = row.getInt("shard");
        Instant wakeAt = TimerRows.instant(row, "wake_at");
        TimerKey key = TimerRows.keyOrNull(row);
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
        return new Undecodable(key, row.getLong("generation"), row.getInt("attempt"), reason);
    }
}
