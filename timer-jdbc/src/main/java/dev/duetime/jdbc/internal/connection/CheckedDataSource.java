package dev.duetime.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The user's pool. Whatever it throws becomes an {@link SQLException}: a pool without connections is an outage of the
 * store, and the engine survives it. As thread-safe as the pool.
 */
public final class CheckedDataSource extends PoolDecorator {
    /** The SQLSTATE of a failed connection attempt. */
    private static final String NO_CONNECTION = "08001";

    public CheckedDataSource(DataSource pool) {
        super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return checked(pool()::getConnection);
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
