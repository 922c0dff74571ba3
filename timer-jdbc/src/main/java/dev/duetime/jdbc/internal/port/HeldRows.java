package dev.duetime.jdbc.internal.port;

import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** Work on rows that another transaction may hold: it leaves held rows, and writes the others. */
final class HeldRows {

    private HeldRows() {}

    /**
     * Runs work that waits briefly for held rows. If the wait times out, the work is undone, and the second work runs.
     *
     * @param all writes all rows by one statement
     * @param free writes the rows that no transaction holds
     */
    static <T> T passOver(Dialect dialect, Handle handle, Work<T> all, Work<T> free) throws SQLException {
        return passOver(dialect, handle, same -> dialect.briefly(same, all), all, free);
    }

    /**
     * As {@link #passOver}, for rows with a statement each.
     *
     * @param all writes all rows by one statement each
     */
    static <T> T passOverEach(Dialect dialect, Handle handle, Work<T> all, Work<T> free) throws SQLException {
        return passOver(dialect, handle, same -> dialect.brieflyInTotal(same, all), all, free);
    }

    private static <T> T passOver(Dialect dialect, Handle handle, Work<T> briefly, Work<T> all, Work<T> free)
            throws SQLException {
        if (!dialect.locksRows()) {
            return all.run(handle);
        }
        Connection connection = handle.getConnection();
        Savepoint before = connection.setSavepoint();
        try {
            return briefly.run(handle);
        } catch (SQLException | JdbiException e) {
            if (!Failures.any(e, dialect::isLockTimeout)) {
                throw e;
            }
            connection.rollback(before);
        }
        return dialect.briefly(handle, free);
    }
}
