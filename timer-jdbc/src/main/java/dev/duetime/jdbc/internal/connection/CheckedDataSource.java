package dev.duetime.jdbc.internal.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The user's pool. Whatever it throws becomes an {@link SQLException}: a pool without connections is an outage of the
 * store, and the engine survives it. As thread-safe as the pool.
 */
public final class CheckedDataSource implements DataSource {
    /** SQLSTATE of a connection that could not be made. */
    private static final String NO_CONNECTION = "08001";

    private final DataSource pool;

    public CheckedDataSource(DataSource pool) {
        this.pool = pool;
    }

    /** Returns the pool itself, as the user knows it. */
    public DataSource pool() {
        return pool;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return checked(pool::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return checked(() -> pool.getConnection(user, password));
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

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool.isWrapperFor(type);
    }
}
