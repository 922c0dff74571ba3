package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.tx.BrokenConnections;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which one database limits how long a write waits for rows that other transactions hold. Implementations
 * are immutable and thread-safe.
 */
public interface LockWaits {
    /** How long one try of a caller's write waits for a locked row. During this time it holds a connection. */
    Duration LOCK_WAIT = Duration.ofMillis(20);

    /** How long work may take that ends with such a wait, or with one of a quarter of a second. */
    Duration LONGEST_WAIT = Duration.ofMillis(500);

    /** Returns whether a write waits for rows, and not for all other writers of the database. */
    default boolean locksRows() {
        return true;
    }

    /**
     * Returns whether a write may meet the lock of another transaction although nobody holds its row: a lock of the gap
     * between two entries of an index. Then {@link #survivesLockTimeout} says whether the writes before it count.
     */
    default boolean locksGaps() {
        return false;
    }

    /**
     * Runs work inside a transaction. No statement in it waits longer than a second for a row that another transaction
     * holds.
     */
    default <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        return work.run(handle);
    }

    /** As {@link #briefly}, for one statement for each of many rows: all of them together wait no longer. */
    default <T> T brieflyInTotal(Handle handle, Transactions.Work<T> work) throws SQLException {
        return briefly(handle, work);
    }

    /** Returns whether only {@link #briefly} limits waits: for a transaction, and not for a single statement. */
    default boolean limitsWaitsByTransaction() {
        return false;
    }

    /**
     * Returns whether a batch executes all of its statements, also after one has failed. If each of them waited for its
     * row, a batch could take minutes. So such a batch does not wait, and is repeated for a short time as a whole.
     */
    default boolean executesBatchesToTheEnd() {
        return false;
    }

    /**
     * Returns whether the store itself runs the statements of a batch one by one, up to the first that fails. For
     * drivers that do so anyway, but go on after a failure: each statement might wait for its row.
     */
    default boolean endsBatches() {
        return false;
    }

    /**
     * Returns how many writes of one call may wait in vain for the lock of a gap; all others of the call are then left
     * for later. Only a database that can be told not to wait has no limit.
     */
    default int mostWaitsForGaps() {
        return Integer.MAX_VALUE;
    }

    /** Returns whether the wait for a row of another transaction has timed out. */
    default boolean isLockTimeout(SQLException e) {
        return false;
    }

    /** Returns whether a timeout undid only its own statement, and not the whole transaction. */
    default boolean survivesLockTimeout(Handle handle) {
        return false;
    }

    /**
     * Returns the file of the statement that sets the limit of {@link #briefly} for the rest of its transaction, in the
     * same round trip; null if there is none.
     */
    default @Nullable String limitWaits() {
        return null;
    }

    /**
     * Returns the file of the statement that limits the waits of the rest of its transaction to {@link #LOCK_WAIT}, in
     * the same round trip; null if there is none.
     */
    default @Nullable String waitBriefly() {
        return null;
    }

    /**
     * Returns the SQL file that lets a transaction wait for locks for half a second after {@link #waitBriefly}; null if
     * it waits for about as long anyway.
     */
    default @Nullable String waitLonger() {
        return null;
    }

    /**
     * Runs work whose waits the store has limited. An end of a wait that the server reports as something else fails as
     * a lock timeout. {@link #briefly} includes this. A caller's own limits are not the store's.
     *
     * @param longest how long the work may have taken: work that took longer was ended by somebody else
     */
    default <T> T limited(Handle handle, Duration longest, Transactions.Work<T> work) throws SQLException {
        return work.run(handle);
    }

    /** Returns whether separate statements lock rows without waiting: those named {@code …_now}. */
    default boolean locksNow() {
        return false;
    }

    /**
     * Limits the wait for locks on this connection to {@link #LOCK_WAIT}, if that is a setting of the connection and
     * costs no round trip. In other databases the statements set the limit themselves.
     *
     * @return restores the setting
     */
    default Restore limitWaits(Connection connection) throws SQLException {
        return () -> {};
    }

    /** Limits the waits of a transaction that the store has begun, even if that costs a round trip. */
    default Restore limitWaitsOfTransaction(Connection connection) throws SQLException {
        return limitWaits(connection);
    }

    /** A restoration of a connection's setting. */
    @FunctionalInterface
    interface Restore extends AutoCloseable {
        @Override
        void close() throws SQLException;

        /** Runs work and then restores the setting. If both fail, the failure of the work is thrown. */
        default <T> T after(Handle handle, Transactions.Work<T> work) throws SQLException {
            T result;
            try {
                result = work.run(handle);
            } catch (Throwable e) {
                if (BrokenConnections.abortAfter(e, handle.getConnection())) {
                    closeAfter(e);
                }
                throw e;
            }
            close();
            return result;
        }

        private void closeAfter(Throwable failure) {
            try {
                close();
            } catch (SQLException | RuntimeException | Error e) {
                BrokenConnections.suppress(failure, e);
            }
        }
    }
}
