package dev.duetime.jdbc;

import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;

/**
 * Is a transaction of the caller's that a {@link JdbcScheduleStore} joins: what is scheduled in it becomes visible when it
 * commits and is gone when it rolls back. The store neither commits, rolls back (but to savepoints of its own) nor closes it.
 * After a {@link dev.duetime.StoreException} roll it back: the database may have ended it.
 *
 * <p>As thread-safe as what it is made of: a connection serves one thread.
 */
public final class JdbcTransaction implements Transaction {
    private final ConnectionFactory connections;

    private JdbcTransaction(ConnectionFactory connections) {
        this.connections = connections;
    }

    /**
     * Joins the transaction of a connection to the store's database.
     *
     * @param connection not in auto-commit mode; the same check is made by each call that uses it
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public static JdbcTransaction of(Connection connection) {
        try {
            checkInTransaction(connection);
        } catch (SQLException e) {
            throw Failures.of("join", "transaction", e);
        }
        return new JdbcTransaction(new ConnectionFactory() {
            @Override
            public Connection openConnection() throws SQLException {
                checkInTransaction(connection);
                return connection;
            }

            @Override
            public void closeConnection(Connection unused) {
                // It is the caller's.
            }
        });
    }

    /**
     * Joins the transaction of a Jdbi handle on the store's database.
     *
     * @param handle in a transaction: {@code jdbi.useTransaction(handle -> …)}
     * @throws IllegalStateException if the handle is in no transaction
     */
    public static JdbcTransaction of(Handle handle) {
        return of(handle.getConnection());
    }

    /**
     * Joins the transaction that a framework keeps for the current thread. Each call takes a connection from the data source
     * and closes it again, as such data sources expect.
     *
     * @param dataSource one that hands out the connection of the current transaction, such as Spring's {@code
     *     TransactionAwareDataSourceProxy}; calls throw an {@link IllegalStateException} where there is no transaction
     */
    public static JdbcTransaction managed(DataSource dataSource) {
        return new JdbcTransaction(() -> {
            Connection connection = dataSource.getConnection();
            try {
                checkInTransaction(connection);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
            return connection;
        });
    }

    private static void checkInTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("connection must be in a transaction but was in auto-commit mode");
        }
    }

    /** Returns what opens the connection for one call and closes it after. */
    ConnectionFactory connections() {
        return connections;
    }
}
