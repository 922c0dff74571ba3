package dev.duetime.examples.rabbitmq;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * An inbox table. It remembers the ids of handled messages, in the transaction that handles them. So at-least-once
 * delivery has its effect once. Thread-safe.
 */
final class Inbox {
    static final String TABLE = "CREATE TABLE IF NOT EXISTS inbox (id VARCHAR(36) PRIMARY KEY, handled_at TIMESTAMP)";

    private static final String INTEGRITY_VIOLATION = "23";

    private final DataSource database;

    /** An action in the transaction of the message. */
    @FunctionalInterface
    interface Work {
        void in(Connection connection) throws SQLException;
    }

    /** Uses a table of the name {@code inbox}, which is created if there is none. */
    Inbox(DataSource database) throws SQLException {
        this.database = database;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    /**
     * Runs the work, unless the message was handled before. Acknowledge the message after this has returned, whatever
     * it returned.
     */
    boolean once(String id, Work work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                if (!insert(connection, id)) {
                    connection.rollback();
                    return false;
                }
                work.in(connection);
                connection.commit();
                return true;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /**
     * Waits while another transaction inserts the same id. After a refused insert nothing else is written in the
     * transaction.
     */
    private static boolean insert(Connection connection, String id) throws SQLException {
        String sql = "INSERT INTO inbox (id, handled_at) VALUES (?, CURRENT_TIMESTAMP)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, id);
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY_VIOLATION)) {
                return false;
            }
            throw e;
        }
    }
}
