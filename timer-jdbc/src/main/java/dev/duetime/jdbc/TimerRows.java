package dev.duetime.jdbc;

import dev.duetime.Micros;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns rows of {@code timer_schedules} into timers and back. */
final class TimerRows {

    private TimerRows() {}

    /**
     * Returns the key of a row that was asked for by it.
     *
     * @throws SQLException also if it is none that a timer can have
     */
    static TimerKey key(ResultSet row) throws SQLException {
        TimerKey key = keyOrNull(row);
        if (key == null) {
            throw new SQLException("row must have the key of a timer but has " + keyText(row));
        }
        return key;
    }

    /** Returns the key of a row; null if it is none that a timer can have. */
    static @Nullable TimerKey keyOrNull(ResultSet row) throws SQLException {
        try {
            return new TimerKey(row.getString("tenant_id"), row.getString("timer_id"));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the key of a row, whatever it is, in a form for logs. */
    static String keyText(ResultSet row) throws SQLException {
        return "tenantId %s and timerId %s"
                .formatted(Printable.of(row.getString("tenant_id")), Printable.of(row.getString("timer_id")));
    }

    static StoredTimer timer(ResultSet row, TimerKey key, TimerState state, Map<String, String> headers)
            throws SQLException {
        return new StoredTimer(
                key,
                row.getInt("shard"),
                content(row, headers),
                state,
                row.getLong("generation"),
                row.getInt("attempt"),
                instantOrNull(row, "wake_at"),
                instant(row, "registered_at"),
                instantOrNull(row, "settled_at"),
                instantOrNull(row, "previous_at"),
                failure(row));
    }

    private static TimerContent content(ResultSet row, Map<String, String> headers) throws SQLException {
        return new TimerContent(
                row.getString("queue"),
                instant(row, "due_at"),
                instantOrNull(row, "expires_at"),
                row.getString("type"),
                Payload.wrap(row.getBytes("payload")),
                headers,
                row.getInt("priority"),
                row.getString("correlation_id"),
                row.getString("parallel_key"),
                row.getString("correlation_key"),
                row.getString("recurrence"),
                row.getString("step"));
    }

    private static @Nullable Failure failure(ResultSet row) throws SQLException {
        @Nullable String error = row.getString("error");
        return error == null
                ? null
                : new Failure(error, instant(row, "first_failed_at"), instant(row, "last_failed_at"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Micros.ofLong(row.getLong(column));
    }

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.ofLong(micros);
    }

    static Map<String, @Nullable Object> parameters(NewTimer timer) {
        TimerContent content = timer.content();
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("tenantId", timer.key().tenantId());
        parameters.put("timerId", timer.key().timerId());
        parameters.put("queue", content.queue());
        parameters.put("shard", timer.shard());
        parameters.put("dueAt", Micros.toLong(content.dueAt()));
        parameters.put("expiresAt", micros(content.expiresAt()));
        parameters.put("generation", timer.generation());
        parameters.put("type", content.type());
        parameters.put("payload", content.payload().bytes());
        parameters.put("headers", HeadersJson.write(content.headers()));
        parameters.put("priority", content.priority());
        parameters.put("correlationId", content.correlationId());
        parameters.put("parallelKey", content.parallelKey());
        parameters.put("correlationKey", content.correlationKey());
        parameters.put("recurrence", content.recurrence());
        parameters.put("step", content.step());
        parameters.put("registeredAt", Micros.toLong(timer.registeredAt()));
        return parameters;
    }

    static @Nullable Long micros(@Nullable Instant instant) {
        return instant == null ? null : Micros.toLong(instant);
    }

    /** Returns the payload that an outcome writes; null if the one that stands stays. */
    static byte @Nullable [] newPayload(Settlement.Advanced outcome) {
        return outcome.withPayload() ? outcome.next().content().payload().bytes() : null;
    }

    static @Nullable String error(@Nullable Failure failure) {
        return failure == null ? null : failure.error();
    }
}
