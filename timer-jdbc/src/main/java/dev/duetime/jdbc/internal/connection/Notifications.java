package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.BrokenConnections;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notifications of PostgreSQL that arrive on one connection of the pool. The driver is no dependency of ours, so
 * its interface is called by name. Used by one thread at a time.
 */
public final class Notifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
    private static final String DRIVER = "org.postgresql.PGConnection";
    private static final String MESSAGE = "org.postgresql.PGNotification";

    /** How long the database may take to end the notifications. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    private final Connection connection;
    private final boolean autoCommit;
    private final SqlFiles sql;
    private final Object driver;
    private final Method receive;
    private final Method text;
    private String schema = "";

    private Notifications(Connection connection, SqlFiles sql, Class<?> api, Class<?> message)
            throws SQLException, NoSuchMethodException {
        this.connection = connection;
        this.sql = sql;
        autoCommit = connection.getAutoCommit();
        driver = connection.unwrap(api);
        receive = api.getMethod("getNotifications", int.class);
        text = message.getMethod("getParameter");
    }

    /**
     * Takes a connection and begins to listen.
     *
     * @return null if the driver is not PostgreSQL's own, or the pool hides it
     */
    public static @Nullable Notifications open(DataSource dataSource, SqlFiles sql) throws SQLException {
        @Nullable Class<?> api = find(DRIVER);
        @Nullable Class<?> message = find(MESSAGE);
        if (api == null || message == null) {
            return null;
        }
        Connection connection = dataSource.getConnection();
        Notifications notifications = null;
        boolean listens = false;
        try {
            if (!connection.isWrapperFor(api)) {
                return null;
            }
            notifications = new Notifications(connection, sql, api, message);
            notifications.listen();
            listens = true;
            return notifications;
        } catch (NoSuchMethodException e) {
            LOG.debug("the driver has no notifications with a time limit", e);
            return null;
        } catch (Error e) {
            BrokenConnections.abortAfter(e, connection);
            throw e;
        } finally {
            if (!listens) {
                giveBack(connection, notifications);
            }
        }
    }

    private static void giveBack(Connection connection, @Nullable Notifications notifications) throws SQLException {
        if (notifications == null) {
            connection.close();
        } else {
            notifications.close();
        }
    }

    private void listen() throws SQLException {
        // A session receives nothing while it is in a transaction.
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.text("listen"));
            try (ResultSet row = statement.executeQuery(sql.text("schema"))) {
                schema = row.next() ? String.valueOf(row.getString(1)) : "";
            }
        }
    }

    private static @Nullable Class<?> find(String name) {
        try {
            return Class.forName(name, false, Notifications.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            LOG.trace("{} is not visible to the library", name, e);
        }
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            LOG.debug("{} is not visible", name, e);
            return null;
        }
    }

    /**
     * Waits until messages arrive that were sent in this schema, and returns them.
     *
     * @param longest how long to wait at most, at least a millisecond
     */
    public List<String> await(Duration longest) throws SQLException {
        List<String> messages = new ArrayList<>();
        try {
            Object arrived = receive.invoke(driver, Math.max(1, Math.toIntExact(longest.toMillis())));
            if (arrived instanceof Object[] all) {
                for (Object each : all) {
                    String message = String.valueOf(text.invoke(each));
                    if (message.startsWith(schema + '\n')) {
                        messages.add(message.substring(schema.length() + 1));
                    }
                }
            }
            return messages;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException failed) {
                throw failed;
            }
            if (e.getCause() instanceof Error error) {
                BrokenConnections.abortAfter(error, connection);
            }
            throw new SQLException("notifications cannot be received", e);
        } catch (IllegalAccessException e) {
            throw new SQLException("notifications cannot be received", e);
        }
    }

    /**
     * Gives the connection back to the pool, as it was, or aborts it: the driver would keep the messages that arrive on
     * it, without bound. If the database does not answer soon, the driver closes the connection: a node that ends must
     * not wait for a host that is gone.
     */
    @Override
    public void close() {
        try (connection) {
            if (!connection.isClosed()) {
                endListening();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug(
                    "the connection for hints was not closed in good order: {}",
                    e.getClass().getName());
        }
    }

    private void endListening() throws SQLException {
        try {
            int former = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_CLOSE.toMillis()));
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql.text("unlisten"));
            }
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, former);
        } catch (SQLException | RuntimeException e) {
            connection.abort(Runnable::run);
            throw e;
        }
    }
}
