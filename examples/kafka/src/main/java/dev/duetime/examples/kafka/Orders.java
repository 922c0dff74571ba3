package dev.duetime.examples.kafka;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The orders of a shop: each change writes the order and its event in one transaction. Thread-safe. */
final class Orders {
    private final DataSource database;
    private final Outbox outbox;

    /** The event that goes to other services. */
    record OrderChanged(String orderId, int version) {}

    Orders(DataSource database, Outbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    void createTable() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(36) PRIMARY KEY, version INT NOT NULL)");
        }
    }

    /**
     * Changes an order, and adds an event. The write of the order comes first: it locks the row, so the events of one
     * order are in the sequence of its changes.
     *
     * @throws SQLException if the database fails; then neither the change nor the event exists
     */
    void change(String orderId) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                int version = write(connection, orderId);
                outbox.add(connection, orderId, "order-changed", new OrderChanged(orderId, version));
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private static int write(Connection connection, String orderId) throws SQLException {
        if (execute(connection, "UPDATE orders SET version = version + 1 WHERE id = ?", orderId) == 0) {
            execute(connection, "INSERT INTO orders (id, version) VALUES (?, 1)", orderId);
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT version FROM orders WHERE id = ?")) {
            query.setString(1, orderId);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private static int execute(Connection connection, String sql, String orderId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, orderId);
            return statement.executeUpdate();
        }
    }
}
