package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The statements for PostgreSQL. A batch is one statement that takes an array for each column, and commits by itself.
 */
final class RawByArrays extends RawStatements {
    private static final String UPSERT = Sql.statement("raw/postgres/upsert.sql");
    private static final String UPSERT_BATCH = Sql.statement("raw/postgres/upsert_batch.sql");
    private static final String DELETE = Sql.statement("raw/postgres/delete.sql");
    private static final String END = Sql.statement("raw/postgres/end.sql");

    @Override
    void upsert(Connection connection, Entry timer, int shards) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPSERT)) {
            statement.setString(1, Entry.TENANT);
            statement.setString(2, timer.id());
            statement.setInt(3, shard(timer, shards));
            statement.setLong(4, timer.dueMicros());
            statement.setLong(5, timer.dueMicros());
            statement.setLong(6, ThreadLocalRandom.current().nextLong());
            statement.setBytes(7, Entry.PAYLOAD_BYTES);
            statement.setLong(8, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
            readAnswer(statement);
        }
    }

    @Override
    void upsert(Connection connection, List<Entry> timers, int shards) throws SQLException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        try (PreparedStatement statement = connection.prepareStatement(UPSERT_BATCH)) {
            array(statement, 1, "text", timers, each -> Entry.TENANT, String[]::new);
            array(statement, 2, "text", timers, Entry::id, String[]::new);
            array(statement, 3, "int4", timers, each -> shard(each, shards), Integer[]::new);
            array(statement, 4, "int8", timers, Entry::dueMicros, Long[]::new);
            array(
                    statement,
                    5,
                    "int8",
                    timers,
                    each -> ThreadLocalRandom.current().nextLong(),
                    Long[]::new);
            array(statement, 6, "bytea", timers, each -> Entry.PAYLOAD_BYTES, byte[][]::new);
            array(statement, 7, "int8", timers, each -> now, Long[]::new);
            readAnswer(statement);
        }
    }

    /** The caller gets the result of each schedule. */
    private static void readAnswer(PreparedStatement statement) throws SQLException {
        try (ResultSet written = statement.executeQuery()) {
            while (written.next()) {
                written.getString(1);
                written.getInt(2);
            }
        }
    }

    @Override
    void settle(Connection connection, List<Row> rows, boolean keep, long now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(keep ? END : DELETE)) {
            array(statement, 1, "text", rows, Row::tenantId, String[]::new);
            array(statement, 2, "text", rows, Row::timerId, String[]::new);
            array(statement, 3, "int8", rows, Row::generation, Long[]::new);
            if (keep) {
                array(statement, 4, "int4", rows, row -> row.attempt() + 1, Integer[]::new);
                statement.setLong(5, now);
            }
            statement.executeUpdate();
        }
    }

    private static <R, T> void array(
            PreparedStatement statement,
            int position,
            String type,
            List<R> rows,
            Function<R, T> value,
            IntFunction<T[]> array)
            throws SQLException {
        T[] values = rows.stream().map(value).toArray(array);
        statement.setArray(position, statement.getConnection().createArrayOf(type, values));
    }
}
