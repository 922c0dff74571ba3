package dev.duetime.examples.micronaut;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcTransaction;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** The orders. Placing one and scheduling its timer are one transaction. Thread-safe. */
@Singleton
class Orders {
    static final Duration PAYMENT_TIMEOUT = Duration.ofMinutes(15);

    private final DataSource dataSource;
    private final Scheduler scheduler;

    Orders(DataSource dataSource, Scheduler scheduler) throws SQLException {
        this.dataSource = dataSource;
        this.scheduler = scheduler;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(50) PRIMARY KEY, state VARCHAR(20))");
        }
    }

    void place(String id) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            update(connection, "INSERT INTO orders (id, state) VALUES (?, 'PLACED')", id);
            scheduler
                    .in(JdbcTransaction.of(connection))
                    .schedule(Timer.after(TimerKey.of("order-" + id), PAYMENT_TIMEOUT)
                            .type(PaymentTimeout.TYPE)
                            .payload(new PaymentTimeout(id))
                            .build());
            connection.commit();
        }
    }

    /** Cancels the order unless it was paid. A repeat changes nothing. */
    void cancelUnpaid(String id) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            update(connection, "UPDATE orders SET state = 'CANCELLED' WHERE state = 'PLACED' AND id = ?", id);
        }
    }

    void pay(String id) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            update(connection, "UPDATE orders SET state = 'PAID' WHERE state = 'PLACED' AND id = ?", id);
        }
    }

    String state(String id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT state FROM orders WHERE id = ?")) {
            statement.setString(1, id);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? found.getString(1) : "NONE";
            }
        }
    }

    private static void update(Connection connection, String sql, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            statement.executeUpdate();
        }
    }
}
