package dev.duetime.examples.orders;

import dev.duetime.examples.orders.OrderEvent.Cancelled;
import dev.duetime.examples.orders.OrderEvent.Completed;
import dev.duetime.examples.orders.OrderEvent.Initiated;
import dev.duetime.examples.orders.OrderEvent.PaymentRecorded;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A write model that keeps the events of orders in a table, one row each. Each event has the next number of its order.
 * If two commands append at once, the primary key lets only one succeed.
 */
final class JdbcWriteModel implements WriteModel {
    /** The class of SQLSTATE; what follows differs from database to database. */
    private static final String INTEGRITY_CONSTRAINT_VIOLATION = "23";

    private final DataSource database;

    /** Opens the write model and creates its table, if there is none. */
    JdbcWriteModel(DataSource database) throws SQLException {
        this.database = database;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS order_events (
                        order_id varchar(100) NOT NULL,
                        version  integer      NOT NULL,
                        type     varchar(30)  NOT NULL,
                        detail   bigint       NOT NULL,
                        PRIMARY KEY (order_id, version)
                    )
                    """);
        }
    }

    @Override
    public <R> R transact(Function<Session, R> command) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                R result = command.apply(new JdbcSession(connection));
                connection.commit();
                return result;
            } finally {
                connection.rollback(); // Does nothing after the commit.
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database of orders failed", e);
        }
    }

    private record JdbcSession(Connection connection) implements Session {

        @Override
        public Order load(String orderId) {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT type, detail FROM order_events WHERE order_id = ? ORDER BY version")) {
                select.setString(1, orderId);
                Order order = Order.unknown(orderId);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        order = order.after(read(rows.getString("type"), rows.getLong("detail")));
                    }
                }
                return order;
            } catch (SQLException e) {
                throw new IllegalStateException("order " + orderId + " cannot be read", e);
            }
        }

        @Override
        public void append(Order order, List<OrderEvent> events) {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO order_events (order_id, version, type, detail) VALUES (?, ?, ?, ?)")) {
                int version = order.version();
                for (OrderEvent event : events) {
                    insert.setString(1, order.id());
                    insert.setInt(2, ++version);
                    insert.setString(3, event.getClass().getSimpleName());
                    insert.setLong(4, detail(event));
                    insert.executeUpdate();
                }
            } catch (SQLException e) {
                if (isDuplicate(e)) {
                    throw new ConcurrentChangeException(order);
                }
                throw new IllegalStateException("order " + order.id() + " cannot be written", e);
            }
        }

        @Override
        public Transaction transaction() {
            return JdbcTransaction.of(connection);
        }
    }

    /** The primary key is the only constraint that an append can violate. */
    static boolean isDuplicate(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY_CONSTRAINT_VIOLATION);
    }

    private static long detail(OrderEvent event) {
        if (event instanceof Initiated initiated) {
            return initiated.timeToPay().toMillis();
        }
        return event instanceof PaymentRecorded payment ? payment.cents() : 0;
    }

    private static OrderEvent read(String type, long detail) {
        return switch (type) {
            case "Initiated" -> new Initiated(Duration.ofMillis(detail));
            case "PaymentRecorded" -> new PaymentRecorded(detail);
            case "Completed" -> new Completed();
            case "Cancelled" -> new Cancelled();
            default -> throw new IllegalStateException("event must be one of an order but was " + type);
        };
    }
}
