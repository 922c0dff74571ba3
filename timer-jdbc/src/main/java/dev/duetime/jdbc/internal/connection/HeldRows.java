package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** Work on rows that another transaction may hold: it leaves held rows, and writes the others. */
public final class HeldRows {

    private HeldRows() {}

    /**
     * Runs work that waits briefly for held rows. If the wait times out, the work is undone, and the second work runs.
     *
     * @param all writes all rows by one statement
     * @param free writes the rows that no transaction holds
     */
    public static <T> T skip(LockWaits locks, Handle handle, Work<T> all, Work<T> free) throws SQLException {
        return skip(locks, handle, same -> locks.briefly(same, all), all, free);
    }

    /**
     * As {@link #skip}, for rows with a statement each.
     *
     * @param all writes all rows by one statement each
     */
    public static <T> T skipEach(LockWaits locks, Handle handle, Work<T> all, Work<T> free) throws SQLException {
        return skip(locks, handle, same -> locks.brieflyInTotal(same, all), all, free);
    }

    private static <T> T skip(LockWaits locks, Handle handle, Work<T> briefly, Work<T> all, Work<T> free)
            throws SQLException {
        if (!locks.locksRows()) {
            return all.run(handle);
        }
        Connection connection = handle.getConnection();
        Savepoint before = connection.setSavepoint();
        try {
            return briefly.run(handle);
        } catch (SQLException | JdbiException e) {
            if (!Failures.any(e, locks::isLockTimeout)) {
                throw e;
            }
            connection.rollback(before);
        }
        return locks.briefly(handle, free);
    }
}
