package dev.duetime.jdbc.internal.row;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.DueTimers.Undecodable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One due row: a timer, or a row that cannot be read.
 *
 * @param shard the shard that it lies in
 * @param wakeAt since when it is due
 * @param timer null if it cannot be read
 * @param undecodable null if it can be read
 * @param leftOutBytes the size of the payload if it was not read; else 0
 */
public record DueRow(
        int shard,
        Instant wakeAt,
        @Nullable StoredTimer timer,
        @Nullable Undecodable undecodable,
        long leftOutBytes) {

    /** Creates a row that was read completely. */
    DueRow(int shard, Instant wakeAt, @Nullable StoredTimer timer, @Nullable Undecodable undecodable) {
        this(shard, wakeAt, timer, undecodable, 0);
    }

    /** Reads a row of a statement that leaves large payloads out. Its last column is their size. */
    public static DueRow withoutLargePayload(ResultSet row) throws SQLException {
        DueRow read = of(row);
        return read.timer != null && read.timer.content().payload().isEmpty()
                ? new DueRow(read.shard, read.wakeAt, read.timer, null, TimerColumn.PAYLOAD_BYTES.bigint(row))
                : read;
    }

    /** Reads a row of a statement that reads payloads whole. */
    public static DueRow of(ResultSet row) throws SQLException {
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

    /** Returns how many bytes its payload has, whether it was read or not. */
    long bytes() {
        return timer == null ? 0 : leftOutBytes + timer.content().payload().size();
    }

    /** Returns the row with its payload. */
    public DueRow with(Payload payload) {
        StoredTimer read = Objects.requireNonNull(timer);
        StoredTimer whole = new StoredTimer(
                read.key(),
                read.shard(),
                TimerContents.withPayload(read.content(), payload),
                read.state(),
                read.generation(),
                read.attempt(),
                read.wakeAt(),
                read.registeredAt(),
                read.settledAt(),
                read.previousAt(),
                read.failure());
        return new DueRow(shard, wakeAt, whole, null);
    }

    private static Undecodable undecodable(@Nullable TimerKey key, ResultSet row, String reason) throws SQLException {
        return new Undecodable(key, TimerColumn.GENERATION.bigint(row), TimerRows.attempt(row), reason);
    }
}
