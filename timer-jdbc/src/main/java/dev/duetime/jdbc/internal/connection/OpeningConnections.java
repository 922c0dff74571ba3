package dev.duetime.jdbc.internal.connection;

import dev.duetime.internal.Errors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections that open a store, each within a time limit: a driver may wait for ever for a server that accepts a
 * connection but does not answer. A connection that arrives later is closed. Thread-safe.
 */
public final class OpeningConnections extends PoolDecorator {
    private static final String NO_CONNECTION = "08001";

    private final Duration limit;

    public OpeningConnections(DataSource pool, Duration limit) {
        super(pool);
        this.limit = limit;
    }

    @Override
    public Connection getConnection() throws SQLException {
        CompletableFuture<Connection> coming = new CompletableFuture<>();
        Thread opener = new Thread(() -> open(coming), "duetime-open");
        opener.setDaemon(true);
        opener.start();
        try {
            return coming.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw givenUp(coming, opener, "no connection came within " + limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp(coming, opener, "the wait for a connection was interrupted");
        } catch (ExecutionException e) {
            throw failure(Errors.cause(e));
        }
    }

    private void open(CompletableFuture<Connection> coming) {
        try {
            Connection connection = pool().getConnection();
            if (!coming.complete(connection)) {
                connection.close();
            }
        } catch (Throwable e) {
            // The waiting thread throws it. If no thread waits, the opening has been given up.
            coming.completeExceptionally(e);
        }
    }

    private static SQLException givenUp(CompletableFuture<Connection> coming, Thread opener, String reason)
            throws SQLException {
        SQLException late = new SQLTransientConnectionException(reason, NO_CONNECTION);
        if (!coming.completeExceptionally(late) && !coming.isCompletedExceptionally()) {
            coming.join().close();
        }
        opener.interrupt();
        return late;
    }

    private static SQLException failure(@Nullable Throwable e) {
        if (e instanceof SQLException known) {
            return known;
        }
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new SQLException("no connection could be had", NO_CONNECTION, e);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("connections are those of the pool's own login");
    }
}
