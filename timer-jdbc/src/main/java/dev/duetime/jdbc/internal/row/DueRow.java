package dev.duetime.jdbc.internal.row;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers.Undecodable;
import java.nio.charset.StandardCharsets;
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
 * @param bytes the size of its payload, headers and error, whether they were read or not
 * @param isLarge whether some of these were not read, or must be read again
 */
public record DueRow(
        int shard,
        Instant wakeAt,
        @Nullable StoredTimer timer,
        @Nullable Undecodable undecodable,
        long bytes,
        boolean isLarge) {

    /** Creates a row that was read completely. */
    DueRow(int shard, Instant wakeAt, @Nullable StoredTimer timer, @Nullable Undecodable undecodable) {
        this(shard, wakeAt, timer, undecodable, timer == null ? 0 : StoredTimers.bytes(timer), false);
    }

    /**
     * Reads a row of a statement that leaves large contents out, and has their size in a column.
     *
     * @param inline the largest content that is read with its row
     */
    public static DueRow withoutLargeContent(ResultSet row, long inline) throws SQLException {
        DueRow read = of(row);
        if (read.timer == null) {
            return read;
        }
        long bytes = TimerColumn.CONTENT_BYTES.bigint(row);
        // Each part is left out by its own length: all of them may be there although their sum is large.
        boolean isLarge = bytes > inline && bytesRead(row, read.timer) < bytes;
        return new DueRow(read.shard, read.wakeAt, read.timer, null, bytes, isLarge);
    }

    private static long bytesRead(ResultSet row, StoredTimer timer) throws SQLException {
        return (long) timer.content().payload().size()
                + length(TimerColumn.HEADERS.text(row))
                + length(TimerColumn.TRACE.text(row))
                + length(TimerColumn.ERROR.text(row));
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Reads a row of a statement that reads everything. */
    public static DueRow of(ResultSet row) throws SQLException {
        int shard = TimerColumn.SHARD.integer(row);
        Instant wakeAt = TimerColumn.WAKE_AT.instant(row);
        boolean isWhole = TimerColumn.TENANT_ID.isWhole(row)
                && TimerColumn.TIMER_ID.isWhole(row)
                && TimerColumn.SCOPE.isWhole(row);
        TimerKey key = !isWhole
                ? null
                : TimerRows.keyOrNull(
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

    /** Returns the row with what {@link LargeContent} was read of it. */
    public DueRow with(LargeContent content) {
        StoredTimer read = Objects.requireNonNull(timer);
        String problem = content.problem();
        return problem == null
                ? new DueRow(shard, wakeAt, content.of(read), null)
                : new DueRow(
                        shard, wakeAt, null, new Undecodable(read.key(), read.generation(), read.attempt(), problem));
    }

    private static Undecodable undecodable(@Nullable TimerKey key, ResultSet row, String reason) throws SQLException {
        return new Undecodable(key, TimerColumn.GENERATION.bigint(row), TimerRows.attempt(row), reason);
    }
}
