package dev.duetime.jdbc.internal.port;

import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** Work on rows that another transaction may hold: what is held is left, and the other rows are written. */
final class HeldRows {

    private HeldRows() {}

    /**
     * Runs work that waits for held rows briefly. If it has waited in vain, it is undone, and the other work is run.
     *
     * @param all writes all rows
     * @param free writes the rows that nobody holds
     */
    static <T> T passOver(Dialect dialect, Handle handle, Work<T> all, Work<T> free) throws SQLException {
        if (!dialect.locksRows()) {
            return all.run(handle);
        }
        Connection connection = handle.getConnection();
        Savepoint before = connection.setSavepoint();
        try {
            return dialect.briefly(handle, all);
        } catch (SQLException | JdbiException e) {
            if (!Failures.any(e, dialect::isLockTimeout)) {
                throw e;
            }
            connection.rollback(before);
        }
        return dialect.briefly(handle, free);
    }
}
