package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The statements for MariaDB, MySQL, H2 and SQLite. A batch is a JDBC batch of point statements in one transaction. */
final class RawByBatch extends RawStatements {
    private static final String DELETE = Sql.statement("raw/delete.sql");
    private static final String END = Sql.statement("raw/end.sql");

    private final String upsert;
    private final boolean setsIsolation;

    RawByBatch(DatabaseKind kind) {
        upsert = Sql.statement("raw/" + kind.statements() + "/upsert.sql");
        setsIsolation = kind == DatabaseKind.MARIADB || kind == DatabaseKind.MYSQL;
    }

    @Override
    void upsert(Connection connection, Entry timer, int shards) throws SQLException {
        upsert(connection, List.of(timer), shards);
    }

    @Override
    void upsert(Connection connection, List<Entry> timers, int shards) throws SQLException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        commit(connection, upsert, statement -> {
            for (Entry timer : timers) {
                statement.setString(1, Entry.TENANT);
                statement.setString(2, timer.id());
                statement.setInt(3, shard(timer, shards));
                statement.setLong(4, timer.dueMicros());
                statement.setLong(5, timer.dueMicros());
                statement.setLong(6, ThreadLocalRandom.current().nextLong());
                statement.setBytes(7, Entry.PAYLOAD_BYTES);
                statement.setLong(8, now);
                statement.addBatch();
            }
        });
    }

    @Override
    void settle(Connection connection, List<Row> rows, boolean keep, long now) throws SQLException {
        commit(connection, keep ? END : DELETE, statement -> {
            for (Row row : rows) {
                int next = 1;
                if (keep) {
                    statement.setLong(next++, now);
                    statement.setInt(next++, row.attempt() + 1);
                }
                statement.setString(next++, row.tenantId());
                statement.setString(next++, row.timerId());
                statement.setLong(next, row.generation());
                statement.addBatch();
            }
        });
    }

    private void commit(Connection connection, String sql, Fill fill) throws SQLException {
        if (setsIsolation && connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill.add(statement);
            statement.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private interface Fill {
        void add(PreparedStatement statement) throws SQLException;
    }
}
