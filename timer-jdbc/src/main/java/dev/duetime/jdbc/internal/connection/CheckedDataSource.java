package dev.duetime.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The user's pool. Whatever it throws becomes an {@link SQLException}: a pool without connections is an outage of the
 * store, and the engine survives it. As thread-safe as the pool.
 */
public final class CheckedDataSource extends PoolDecorator {
    /** The SQLSTATE of a failed connection attempt. */
    private static final String NO_CONNECTION = "08001";

    private final UnendedConnections unended =
            new UnendedConnections(connection -> KnownPools.evict(pool(), connection));
    private volatile Consumer<SQLException> whenRefused = e -> {};

    public CheckedDataSource(DataSource pool) {
        super(pool);
    }

    /** Sets what is called with each failure to get a connection, in the thread that wanted it. */
    public void whenRefused(Consumer<SQLException> called) {
        whenRefused = called;
    }

    /** Lends a connection of the pool, and tries to end the broken ones. */
    public LentConnection lend() throws SQLException {
        unended.end();
        LentConnection lent = new LentConnection(unended);
        lent.take(getConnection());
        return lent;
    }

    /** Tries to end the broken connections. For a task that recurs, and uses a connection of its own. Never throws. */
    public void endBroken() {
        unended.end();
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return checked(pool()::getConnection);
        } catch (SQLException e) {
            whenRefused.accept(e);
            throw e;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return checked(() -> pool().getConnection(user, password));
    }

    private static Connection checked(Opening opening) throws SQLException {
        @Nullable Connection connection;
        try {
            connection = opening.open();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new SQLException("the data source threw " + e.getClass().getName(), NO_CONNECTION, e);
        }
        if (connection == null) {
            throw new SQLException("the data source returned no connection", NO_CONNECTION);
        }
        return connection;
    }

    @FunctionalInterface
    private interface Opening {
        @Nullable
        Connection open() throws SQLException;
    }
}
