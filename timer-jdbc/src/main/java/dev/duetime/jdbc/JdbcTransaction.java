package dev.duetime.jdbc;

import dev.duetime.internal.Limits;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the caller's that a {@link JdbcScheduleStore} joins. Timers that are scheduled in it become visible
 * when it commits, and are gone when it rolls back. The store neither commits nor closes it, and rolls back only to its
 * own savepoints. After a {@link dev.duetime.StoreException} roll the transaction back: the database may have ended it.
 * After an {@link Error}, such as one for want of memory, {@linkplain Connection#abort abort} its connection: the
 * driver may have read only a part of an answer.
 *
 * <p>As thread-safe as what it is made of: a connection serves one thread.
 */
public final class JdbcTransaction implements Transaction {
    private final ConnectionFactory connections;
    private final @Nullable Connection lent;
    private final @Nullable DataSource manager;
    private final @Nullable Consumer<Runnable> afterCommit;

    private JdbcTransaction(
            ConnectionFactory connections,
            @Nullable Connection lent,
            @Nullable DataSource manager,
            @Nullable Consumer<Runnable> afterCommit) {
        this.connections = connections;
        this.lent = lent;
        this.manager = manager;
        this.afterCommit = afterCommit;
    }

    /**
     * Joins the transaction of a connection to the store's database.
     *
     * @param connection not in auto-commit mode; the same check is made by each call that uses it
     * @throws IllegalArgumentException if the connection is null
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public static JdbcTransaction of(Connection connection) {
        try {
            checkInTransaction(Limits.given("connection", connection));
        } catch (SQLException e) {
            throw Failures.of("join", "transaction", e);
        }
        return of(connection, () -> {});
    }

    /**
     * Joins the transaction of a connection that is in one.
     *
     * @param check throws if the transaction has ended
     */
    static JdbcTransaction of(Connection connection, Runnable check) {
        ConnectionFactory connections = new ConnectionFactory() {
            @Override
            public Connection openConnection() throws SQLException {
                check.run();
                checkInTransaction(connection);
                return connection;
            }

            @Override
            public void closeConnection(Connection unused) {
                // The caller closes its connection.
            }
        };
        return new JdbcTransaction(connections, connection, null, null);
    }

    /**
     * Joins the transaction of a Jdbi handle on the store's database.
     *
     * @param handle in a transaction: {@code jdbi.useTransaction(handle -> …)}
     * @throws IllegalArgumentException if the handle is null
     * @throws IllegalStateException if the handle is in no transaction
     */
    public static JdbcTransaction of(Handle handle) {
        return of(Limits.given("handle", handle).getConnection());
    }

    /**
     * Joins the transaction that a framework keeps for the current thread. Each call takes a connection from the data
     * source and closes it again, as such data sources expect.
     *
     * @param dataSource one that hands out the connection of the current transaction, such as Spring's {@code
     *     TransactionAwareDataSourceProxy}, never the store's own pool; calls throw an {@link IllegalStateException}
     *     where there is no transaction. A pool without auto-commit hides that: its connections look as if they were
     *     in one, and the write is rolled back when such a connection is closed
     * @throws IllegalArgumentException if the data source is null
     */
    public static JdbcTransaction managed(DataSource dataSource) {
        return managed(dataSource, null);
    }

    /**
     * Joins the transaction that a framework keeps for the current thread, as {@link #managed(DataSource)} does. The
     * framework also tells of the commit. Then the nodes that deliver learn at once of timers that are due soon;
     * otherwise they poll for them.
     *
     * @param dataSource as in {@link #managed(DataSource)}
     * @param afterCommit called in the transaction with actions that the framework runs after its commit, and not after
     *     a rollback; the actions are short, do not throw, and use no connection; null if it does not tell
     * @throws IllegalArgumentException if the data source is null
     */
    public static JdbcTransaction managed(DataSource dataSource, @Nullable Consumer<Runnable> afterCommit) {
        Limits.given("dataSource", dataSource);
        return new JdbcTransaction(
                () -> {
                    Connection connection = dataSource.getConnection();
                    try {
                        checkInTransaction(connection);
                    } catch (Throwable e) {
                        connection.close();
                        throw e;
                    }
                    return connection;
                },
                null,
                dataSource,
                afterCommit);
    }

    /** Runs an action after the commit, if the framework tells of it. Returns whether it does. */
    boolean afterCommit(Runnable action) {
        if (afterCommit == null) {
            return false;
        }
        afterCommit.accept(action);
        return true;
    }

    private static void checkInTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("connection must be in a transaction but was in auto-commit mode");
        }
    }

    /**
     * Returns the connection of the transaction, for your own writes in it. The code that began the transaction ends
     * it: do not commit it, roll it back, close it or change its auto-commit mode, and do not use it after the
     * transaction has ended.
     *
     * @throws IllegalStateException if the transaction is {@linkplain #managed managed}: take the connection from the
     *     data source, as everywhere else in such a transaction; also if the transaction is over
     * @throws dev.duetime.StoreException if the connection is broken
     */
    public Connection connection() {
        if (lent == null) {
            throw new IllegalStateException(
                    "connection must be taken from the data source that manages the transaction");
        }
        try {
            return connections.openConnection();
        } catch (SQLException e) {
            throw Failures.of("join", "transaction", e);
        }
    }

    /**
     * Refuses the store's own pool as the source of the transaction's connection: each call would get a connection that
     * is never committed.
     *
     * @throws IllegalArgumentException if it is the pool
     */
    @SuppressWarnings("ReferenceEquality")
    void checkNotOf(DataSource pool) {
        if (manager == pool) {
            throw new IllegalArgumentException("dataSource must hand out the connection of the current transaction, as"
                    + " Spring's TransactionAwareDataSourceProxy does, but was the store's own pool");
        }
    }

    /** Returns what opens the connection for one call and closes it after. */
    ConnectionFactory connections() {
        return connections;
    }
}
