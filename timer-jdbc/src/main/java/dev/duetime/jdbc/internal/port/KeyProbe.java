package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.connection.Savepoints;
import dev.duetime.jdbc.internal.sql.DriverStatement.Binder;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * A test whether a key has a row, in a caller's transaction, for databases where the lock of a missing key locks the
 * gap around it. Such a lock would hold up the new neighbours of the key until the caller commits. A plain read takes
 * no lock, but may be older than the row. So if it finds none, the key is inserted, and the insert is undone. It fails
 * if there is a row. If there is none, no lock remains. Without a savepoint nothing is inserted, and the key is locked.
 * Of the isolation levels only REPEATABLE READ needs this and can use it: below it no gap is locked, and above it a
 * read locks the gap, too. Immutable.
 */
final class KeyProbe {
    private final SqlFiles sql;

    KeyProbe(SqlFiles sql) {
        this.sql = sql;
    }

    /** Returns false if the key has no row. If it cannot be found out, returns true: then the row is to be locked. */
    boolean mayBeThere(Handle handle, TimerKey key, Binder binder) throws SQLException {
        return handle.getConnection().getTransactionIsolation() != Connection.TRANSACTION_REPEATABLE_READ
                || isVisible(handle, key)
                || !canBeInserted(handle, binder);
    }

    private boolean isVisible(Handle handle, TimerKey key) {
        return KeyList.split(List.of(key)).stream()
                .anyMatch(one -> one.query(handle, sql, "look_for_timers")
                        .mapToMap()
                        .findFirst()
                        .isPresent());
    }

    private boolean canBeInserted(Handle handle, Binder binder) throws SQLException {
        Connection connection = handle.getConnection();
        Savepoint before = Savepoints.set(connection);
        if (before == null) {
            return false;
        }
        boolean inserted;
        try {
            sql.driver("probe_timer").update(handle, binder);
            inserted = true;
        } catch (JdbiException e) {
            inserted = false;
            undo(connection, before, e);
        }
        if (inserted) {
            undo(connection, before, null);
        }
        return inserted;
    }

    /** A deadlock has ended the transaction, and the savepoint with it. Then the failure is that of the insert. */
    private static void undo(Connection connection, Savepoint before, @Nullable JdbiException failure)
            throws SQLException {
        try {
            connection.rollback(before);
            connection.releaseSavepoint(before);
        } catch (SQLException gone) {
            if (failure == null) {
                throw gone;
            }
            failure.addSuppressed(gone);
            throw failure;
        }
    }
}
