package dev.duetime.jdbc.internal.tx;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of connections on which an {@link Error} was thrown. The driver may have read only a part of the server's
 * answer. It would take the rest for the answer to the next statement, which may be the application's: the pool is
 * shared.
 */
public final class BrokenConnections {
    private static final Logger LOG = LoggerFactory.getLogger(BrokenConnections.class);

    private BrokenConnections() {}

    /**
     * Aborts the connection if an error was thrown on it. To be called before any other use of the connection: that
     * could wait for ever for an answer. Embedded databases have no answers to read. Their drivers abort nothing, and
     * roll back.
     */
    public static void abortAfter(Throwable thrown, Connection connection) {
        if (!(thrown instanceof Error)) {
            return;
        }
        try {
            connection.abort(Runnable::run);
            // Pools do not notice an abort. They notice a call that fails since the connection is closed.
            connection.rollback();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("a connection was aborted after {}", thrown.getClass().getName(), e);
        }
    }
}
