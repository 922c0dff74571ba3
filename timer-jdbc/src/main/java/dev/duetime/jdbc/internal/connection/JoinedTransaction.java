package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.InterruptFlag;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * A runner of work inside a transaction that a caller owns, or inside a {@link dev.duetime.store.OwnTransaction}. It
 * neither commits nor closes the transaction, and rolls back at most to its own savepoint. As thread-safe as the
 * transaction.
 *
 * <p>If the transaction stays usable after a failed statement, the work runs behind a savepoint. So a caller that
 * continues after a failure keeps nothing half-written. And a key that another transaction has just inserted can be
 * read as a row. PostgreSQL ends the transaction itself, so it needs no savepoint. If the connection refuses
 * savepoints, the work runs without one: after a failure the caller must roll back.
 */
public final class JoinedTransaction implements Transactions {
    private static final int ATTEMPTS = 10;

    /** Ten limits. The caller repeats the transaction many times, and does not know that a statement was cancelled. */
    private static final Duration LONGEST_TRY = LockWaits.LOCK_WAIT.multipliedBy(10);

    private final Jdbi jdbi;
    private final Dialect dialect;
    private final @Nullable LentConnection own;

    // Mutable state of the thread that uses it.
    private boolean brief;

    /**
     * Joins a transaction.
     *
     * @param own the connection of a transaction that the store has begun; null if the transaction is a caller's
     */
    public JoinedTransaction(Jdbi jdbi, Dialect dialect, @Nullable LentConnection own) {
        this.jdbi = jdbi;
        this.dialect = dialect;
        this.own = own;
    }

    /**
     * Sets whether its writes give up on locked rows. A transaction of the caller's waits as the caller has set it up.
     */
    public void waitBriefly(boolean briefly) {
        brief = briefly;
    }

    @Override
    public boolean waitsBriefly() {
        return brief;
    }

    @Override
    public boolean isJoined() {
        return own == null;
    }

    @Override
    public <T> T single(String operation, Object subject, Work<T> statement) {
        try {
            return InterruptFlag.cleared(() -> opened(statement));
        } catch (SQLException | JdbiException e) {
            throw Failures.of(dialect, operation, subject, e);
        }
    }

    private <T> T opened(Work<T> work) throws SQLException {
        try {
            return HandleSource.closing(
                    jdbi::open, handle -> brief ? dialect.limited(handle, LONGEST_TRY, work) : work.run(handle));
        } catch (Throwable e) {
            abortAfter(e);
            throw e;
        }
    }

    /** The connection of a caller's transaction is the caller's to abort. */
    private void abortAfter(Throwable thrown) {
        if (own != null) {
            own.abortAfter(thrown);
        }
    }

    @Override
    public <T> T run(String operation, Object subject, Work<T> work) {
        return single(
                operation,
                subject,
                dialect.traits().failureEndsTransaction() ? work : handle -> behindSavepoint(handle, work, 1));
    }

    private <T> T behindSavepoint(Handle handle, Work<T> work, int attempt) throws SQLException {
        Connection connection = handle.getConnection();
        Savepoint savepoint = Savepoints.set(connection);
        if (savepoint == null) {
            dialect.begin(handle, true);
            return work.run(handle);
        }
        try {
            dialect.begin(handle, true);
            T result = work.run(handle);
            connection.releaseSavepoint(savepoint);
            return result;
        } catch (Throwable e) {
            if (BrokenConnections.breaks(e)) {
                throw e;
            }
            boolean undone = rollback(connection, savepoint, e);
            if (!undone
                    || attempt == ATTEMPTS
                    || !Failures.any(e, each -> dialect.collision(each) == Collision.TAKEN_KEY)) {
                throw e;
            }
        }
        return behindSavepoint(handle, work, attempt + 1);
    }

    /** Rolls back to the savepoint. Returns whether that succeeded: a deadlock may have ended the transaction. */
    private static boolean rollback(Connection connection, Savepoint savepoint, Throwable reason) {
        try {
            connection.rollback(savepoint);
            return true;
        } catch (SQLException e) {
            reason.addSuppressed(Failures.withoutValues(e));
            return false;
        }
    }
}
