package dev.duetime.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each piece of work in a transaction of its own, and again if it met another one: deadlock, serialization
 * failure, busy database, a key that was just taken. Lost connections are not tried again: the engine backs off as a
 * whole.
 *
 * <p>Thread-safe. Does not use Jdbi's transactions: those take a pool that hands out connections without auto-commit
 * for a transaction that somebody else will commit.
 */
final class OwnTransactions implements Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransactions.class);
    private static final int ATTEMPTS = 10;
    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGER_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final Jdbi jdbi;
    private final Dialect dialect;

    OwnTransactions(Jdbi jdbi, Dialect dialect) {
        this.jdbi = jdbi;
        this.dialect = dialect;
    }

    @Override
    public boolean isJoined() {
        return false;
    }

    @Override
    public boolean isBrief() {
        return true;
    }

    @Override
    public <T> T single(String operation, Object subject, Work<T> statement) {
        return repeat(
                operation,
                subject,
                handle -> handle.getConnection().getAutoCommit() ? statement.run(handle) : commit(handle, statement));
    }

    @Override
    public <T> T run(String operation, Object subject, Work<T> work) {
        return repeat(operation, subject, handle -> commit(handle, work));
    }

    private <T> T repeat(String operation, Object subject, Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try (Handle handle = jdbi.open()) {
                return work.run(handle);
            } catch (SQLException | JdbiException e) {
                if (attempt == ATTEMPTS || !Failures.any(e, each -> dialect.collision(each) != Collision.NONE)) {
                    throw Failures.of(operation, subject, e);
                }
                LOG.debug("{} {} met another transaction, attempt {}", operation, subject, attempt);
            }
            LockSupport.parkNanos(
                    ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, attempt * LONGER_PAUSE_NANOS));
        }
    }

    private <T> T commit(Handle handle, Work<T> work) throws SQLException {
        Connection connection = handle.getConnection();
        boolean autoCommit = connection.getAutoCommit();
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
        try {
            dialect.begin(handle, false);
            T result = work.run(handle);
            connection.commit();
            return result;
        } catch (Throwable e) {
            rollback(connection, e);
            throw e;
        } finally {
            if (autoCommit && !connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void rollback(Connection connection, Throwable reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(Failures.withoutValues(e));
        }
    }
}
