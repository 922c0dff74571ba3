package dev.duetime.jdbc.internal.row;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Printable;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conversion of rows of {@code timer_schedules} into timers and back. */
public final class TimerRows {
    private static final List<String> KEY = List.of("tenant_id", "timer_id", "scope");

    private TimerRows() {}

    /**
     * Returns the key of a row that was read by its key.
     *
     * @throws SQLException also if no timer can have this key
     */
    public static TimerKey key(ResultSet row) throws SQLException {
        TimerKey key = keyOrNull(row);
        if (key == null) {
            throw new SQLException("row must have the key of a timer but has " + keyText(row));
        }
        return key;
    }

    /** Returns the key of a row; null if no timer can have this key. */
    public static @Nullable TimerKey keyOrNull(ResultSet row) throws SQLException {
        return isWhole(row)
                ? keyOrNull(row.getString("tenant_id"), row.getString("timer_id"), row.getString("scope"))
                : null;
    }

    /** Returns whether the texts of the key are the stored ones. If not, no statement finds the row by its key. */
    public static boolean isWhole(ResultSet row) throws SQLException {
        for (String column : KEY) {
            if (!StoredText.isWhole(row.getString(column), () -> row.getBytes(column))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the key of these parts; null if no timer can have it. */
    public static @Nullable TimerKey keyOrNull(String tenantId, String timerId, String scope) {
        try {
            return new TimerKey(tenantId, timerId, scope);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the key of a row in a form for logs, valid or not. */
    public static String keyText(ResultSet row) throws SQLException {
        return "tenantId %s, timerId %s and scope %s"
                .formatted(
                        Printable.quoted(row.getString("tenant_id"), 255),
                        Printable.quoted(row.getString("timer_id"), 255),
                        Printable.quoted(row.getString("scope"), 255));
    }

    static StoredTimer timer(
            ResultSet row, TimerKey key, TimerState state, Map<String, String> headers, @Nullable CatchUp catchUp)
            throws SQLException {
        return new StoredTimer(
                key,
                TimerColumn.SHARD.integer(row),
                content(row, headers, catchUp),
                state,
                TimerColumn.GENERATION.bigint(row),
                attempt(row),
                TimerColumn.WAKE_AT.instantOrNull(row),
                TimerColumn.REGISTERED_AT.instant(row),
                TimerColumn.SETTLED_AT.instantOrNull(row),
                TimerColumn.PREVIOUS_AT.instantOrNull(row),
                failure(row));
    }

    /** Returns the attempts, within what can be counted on: others may have written any number. */
    static int attempt(ResultSet row) throws SQLException {
        return Math.max(0, Math.min(TimerColumn.ATTEMPT.integer(row), Integer.MAX_VALUE - 1));
    }

    private static TimerContent content(ResultSet row, Map<String, String> headers, @Nullable CatchUp catchUp)
            throws SQLException {
        return new TimerContent(
                TimerColumn.QUEUE.text(row),
                TimerColumn.DUE_AT.instant(row),
                TimerColumn.EXPIRES_AT.instantOrNull(row),
                TimerColumn.TYPE.text(row),
                payload(TimerColumn.PAYLOAD.bytes(row)),
                headers,
                TimerColumn.PRIORITY.integer(row),
                TimerColumn.CORRELATION_ID.text(row),
                TimerColumn.PARALLEL_KEY.text(row),
                TimerColumn.CORRELATION_KEY.text(row),
                TimerColumn.RECURRENCE.text(row),
                catchUp,
                TimerColumn.STEP.text(row));
    }

    private static Payload payload(byte @Nullable [] bytes) {
        return bytes == null ? Payload.NONE : Payload.wrap(bytes);
    }

    private static @Nullable Failure failure(ResultSet row) throws SQLException {
        @Nullable String error = TimerColumn.ERROR.text(row);
        return error == null
                ? null
                : new Failure(error, TimerColumn.FIRST_FAILED_AT.instant(row), TimerColumn.LAST_FAILED_AT.instant(row));
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        return Micros.ofLong(row.getLong(column));
    }

    public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.ofLong(micros);
    }

    /** Returns the row that a schedule writes, where Java decides about it. */
    public static Map<String, @Nullable Object> parameters(NewTimer timer) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        for (TimerColumn column : TimerColumn.written()) {
            if (column != TimerColumn.REARM) {
                parameters.put(column.parameter(), column.value(timer));
            }
        }
        return parameters;
    }

    public static @Nullable Long micros(@Nullable Instant instant) {
        return instant == null ? null : Micros.toLong(instant);
    }

    /** Returns the payload that an outcome writes; null if the stored payload stays. */
    public static byte @Nullable [] newPayload(Settlement.Advanced outcome) {
        return outcome.withPayload() ? outcome.next().content().payload().bytes() : null;
    }

    public static @Nullable String error(@Nullable Failure failure) {
        return failure == null ? null : failure.error();
    }
}
