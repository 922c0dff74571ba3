package dev.duetime.jdbc.internal.tx;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jdbi.v3.core.JdbiException;

/**
 * The rule for connections on which an {@link Error} was thrown. The driver may have read only a part of the server's
 * answer. It would take the rest for the answer to the next statement, which may be the application's: the pool is
 * shared.
 *
 * <p>Nothing here takes memory: the error may be that there is none.
 */
public final class BrokenConnections {
    private static final Executor SAME_THREAD = Runnable::run;

    /** How deep causes are searched. Causes may form a circle. */
    private static final int MOST_CAUSES = 100;

    private BrokenConnections() {}

    /**
     * Returns whether this breaks the connection on which it was thrown: it is an error or an {@link
     * UnendedTransaction}, or one is among its causes and suppressed exceptions.
     */
    public static boolean breaks(Throwable thrown) {
        try {
            return breaks(thrown, MOST_CAUSES);
        } catch (RuntimeException | Error e) {
            // It cannot tell its causes.
            return true;
        }
    }

    private static boolean breaks(Throwable thrown, int depth) {
        Throwable each = thrown;
        for (int left = depth; each != null && left > 0; left--) {
            if (each instanceof Error || each instanceof UnendedTransaction) {
                return true;
            }
            for (Throwable suppressed : each.getSuppressed()) {
                if (breaks(suppressed, left - 1)) {
                    return true;
                }
            }
            each = each.getCause();
        }
        return false;
    }

    /**
     * Returns the error that has been replaced by this exception, or the exception itself. {@code try} with resources
     * replaces an error by an {@link IllegalArgumentException} if {@code close} throws the same instance again, and the
     * virtual machine does that without memory. Jdbi replaces the errors of its {@code close}.
     */
    public static Throwable original(Throwable thrown) {
        Throwable each = thrown;
        for (int left = MOST_CAUSES; left > 0; left--) {
            Throwable cause = each.getCause();
            if (cause instanceof Error) {
                return each instanceof IllegalArgumentException || each instanceof JdbiException ? cause : thrown;
            }
            if (cause == null || !(each instanceof JdbiException)) {
                return thrown;
            }
            each = cause;
        }
        return thrown;
    }

    /** Adds a failure that followed another one, if there is memory for it. Never throws. */
    public static void suppress(Throwable first, Throwable next) {
        try {
            if (first != next) {
                first.addSuppressed(next);
            }
        } catch (Error e) {
            // The first failure is the one that is thrown.
        }
    }

    /**
     * Aborts the connection if an error was thrown on it. To be called before any other use of the connection: that
     * could wait for ever for an answer. Embedded databases have no answers to read, and their drivers abort nothing.
     *
     * @return whether the connection may be used, to restore its settings: there was no error, or the abort succeeded
     */
    public static boolean abortAfter(Throwable thrown, Connection connection) {
        if (!breaks(thrown)) {
            return true;
        }
        try {
            abort(connection);
            return true;
        } catch (SQLException | RuntimeException | Error e) {
            suppress(thrown, e);
            return false;
        }
    }

    /**
     * Aborts the driver's connection, unless it is closed: some pools only forget theirs when they abort it, and then
     * take back nothing.
     */
    public static void abort(Connection connection) throws SQLException {
        Connection driver = driver(connection);
        if (!driver.isClosed()) {
            driver.abort(SAME_THREAD);
        }
    }

    /** Returns the driver's connection; the given one if the pool does not tell. */
    public static Connection driver(Connection connection) {
        try {
            return connection.unwrap(Connection.class);
        } catch (SQLException | RuntimeException e) {
            return connection;
        }
    }
}
