package dev.duetime.jdbc;

import dev.duetime.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Is a column of what statements read of timers, all of them in this order: by their places rows are read in less time
 * than by their names, which are looked up in each row.
 */
enum TimerColumn {
    TENANT_ID(1),
    TIMER_ID(2),
    SCOPE(3),
    QUEUE(4),
    SHARD(5),
    DUE_AT(6),
    WAKE_AT(7),
    EXPIRES_AT(8),
    STATE(9),
    GENERATION(10),
    ATTEMPT(11),
    TYPE(12),
    PAYLOAD(13),
    HEADERS(14),
    PRIORITY(15),
    CORRELATION_ID(16),
    PARALLEL_KEY(17),
    CORRELATION_KEY(18),
    RECURRENCE(19),
    STEP(20),
    REGISTERED_AT(21),
    SETTLED_AT(22),
    ERROR(23),
    FIRST_FAILED_AT(24),
    LAST_FAILED_AT(25),
    PREVIOUS_AT(26),
    /** Only in what reads due timers. */
    PAYLOAD_BYTES(27);

    private final int place;

    TimerColumn(int place) {
        this.place = place;
    }

    String text(ResultSet row) throws SQLException {
        return row.getString(place);
    }

    byte[] bytes(ResultSet row) throws SQLException {
        return row.getBytes(place);
    }

    int integer(ResultSet row) throws SQLException {
        return row.getInt(place);
    }

    long bigint(ResultSet row) throws SQLException {
        return row.getLong(place);
    }

    Instant instant(ResultSet row) throws SQLException {
        return Micros.ofLong(row.getLong(place));
    }

    @Nullable
    Instant instantOrNull(ResultSet row) throws SQLException {
        long micros = row.getLong(place);
        return row.wasNull() ? null : Micros.ofLong(micros);
    }
}
