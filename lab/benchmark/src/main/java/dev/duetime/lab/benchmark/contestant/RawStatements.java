package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The plain JDBC of the {@link Raw} loop: the fastest form of each statement that was found for the database. */
abstract class RawStatements {
    private static final String DUE = Sql.statement("raw/due.sql");
    private static final String NEXT_DUE = Sql.statement("raw/next_due.sql");

    static RawStatements of(DatabaseKind kind) {
        return kind == DatabaseKind.POSTGRES ? new RawByArrays() : new RawByBatch(kind);
    }

    /** Schedules one timer in its own commit. */
    abstract void upsert(Connection connection, Entry timer, int shards) throws SQLException;

    /** Schedules all in one transaction. */
    abstract void upsert(Connection connection, List<Entry> timers, int shards) throws SQLException;

    /** Deletes the delivered timers, or keeps them as reached, in one transaction. */
    abstract void settle(Connection connection, List<Row> rows, boolean keep, long now) throws SQLException;

    final List<Row> due(Connection connection, int shard, long now, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(DUE)) {
            statement.setInt(1, shard);
            statement.setLong(2, now);
            statement.setInt(3, limit);
            List<Row> due = new ArrayList<>(limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    due.add(row(rows));
                }
            }
            return due;
        }
    }

    /** All columns that an envelope needs are read. */
    private static Row row(ResultSet rows) throws SQLException {
        return new Row(
                rows.getString(1),
                rows.getString(2),
                rows.getLong(3),
                Instant.EPOCH.plus(rows.getLong(4), ChronoUnit.MICROS),
                rows.getLong(5),
                rows.getInt(6),
                rows.getString(7),
                rows.getBytes(8),
                rows.getString(9),
                rows.getInt(10),
                rows.getString(11));
    }

    final OptionalLong nextDue(Connection connection, int shard) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NEXT_DUE)) {
            statement.setInt(1, shard);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    static int shard(Entry timer, int shards) {
        return Math.floorMod(timer.id().hashCode(), shards);
    }

    /** A due timer. */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    record Row(
            String tenantId,
            String timerId,
            long generation,
            Instant dueAt,
            long expiresAt,
            int attempt,
            String type,
            byte[] payload,
            String headers,
            int priority,
            String correlationId) {}
}
