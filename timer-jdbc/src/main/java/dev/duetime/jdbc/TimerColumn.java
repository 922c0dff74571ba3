package dev.duetime.jdbc;

import dev.duetime.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Is a column of what statements read of timers, all of them in this order: by their places rows are read in less time than
 * by their names, which are looked up in each row.
 */
enum TimerColumn {
    TENANT_ID(1),
    TIMER_ID(2),
    QUEUE(3),
    SHARD(4),
    DUE_AT(5),
    WAKE_AT(6),
    EXPIRES_AT(7),
    STATE(8),
    GENERATION(9),
    ATTEMPT(10),
    TYPE(11),
    PAYLOAD(12),
    HEADERS(13),
    PRIORITY(14),
    CORRELATION_ID(15),
    PARALLEL_KEY(16),
    CORRELATION_KEY(17),
    RECURRENCE(18),
    STEP(19),
    REGISTERED_AT(20),
    SETTLED_AT(21),
    ERROR(22),
    FIRST_FAILED_AT(23),
    LAST_FAILED_AT(24),
    PREVIOUS_AT(25);

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
