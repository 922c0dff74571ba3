package dev.duetime.jdbc.internal.connection;

import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private final LentConnection lent;
    private final Connection connection;
    private final SqlFiles sql;
    private final Object driver;
    private final Method receive;
    private final Method text;
    private String schema = "";

    private Notifications(LentConnection lent, SqlFiles sql, Class<?> api, Class<?> message)
            throws SQLException, NoSuchMethodException {
        this.lent = lent;
        connection = lent.connection();
        this.sql = sql;
        driver = connection.unwrap(api);
        receive = api.getMethod("getNotifications", int.class);
        text = message.getMethod("getParameter");
    }

    /**
     * Takes a connection and begins to listen.
     *
     * @return null if the driver is not PostgreSQL's own, or the pool hides it
     */
    public static @Nullable Notifications open(CheckedDataSource dataSource, SqlFiles sql) throws SQLException {
        @Nullable Class<?> api = find(DRIVER);
        @Nullable Class<?> message = find(MESSAGE);
        if (api == null || message == null) {
            return null;
        }
        LentConnection lent = dataSource.lend();
        Notifications notifications;
        try {
            notifications = lent.connection().isWrapperFor(api) ? new Notifications(lent, sql, api, message) : null;
        } catch (NoSuchMethodException e) {
            lent.giveBack();
            LOG.debug("the driver has no notifications with a time limit", e);
            return null;
        } catch (Throwable e) {
            lent.giveBackAfter(e);
            throw e;
        }
        if (notifications == null) {
            lent.giveBack();
            return null;
        }
        try {
            notifications.listen();
        } catch (Throwable e) {
            lent.abortAfter(e);
            notifications.close();
            throw e;
        }
        return notifications;
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
            if (Errors.cause(e) instanceof SQLException failed) {
                throw failed;
            }
            if (Errors.cause(e) instanceof Error error) {
                lent.abortAfter(error);
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
        try {
            if (lent.mayRestore() && !connection.isClosed()) {
                endListening();
            }
            lent.giveBack();
        } catch (SQLException | RuntimeException e) {
            lent.giveBackBroken();
            LOG.debug(
                    "the connection for hints was not closed in good order: {}",
                    e.getClass().getName());
        } catch (Error e) {
            lent.giveBackAfter(e);
        }
    }

    private void endListening() throws SQLException {
        int former = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST_CLOSE.toMillis()));
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.text("unlisten"));
        }
        connection.setAutoCommit(lent.autoCommit());
        connection.setNetworkTimeout(Runnable::run, former);
    }
}
