package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.sql.DriverStatement.Binder;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/**
 * A test whether a key has a row, in a caller's transaction, for databases where the lock of a missing key locks the gap
 * around it. Such a lock would hold up the new neighbours of the key until the caller commits. A plain read takes no
 * lock, but may be older than the row. So if it finds none, the key is inserted, and the insert is undone. It fails if
 * there is a row. If there is none, no lock remains. Immutable.
 */
final class KeyProbe {
    private final SqlFiles sql;

    KeyProbe(SqlFiles sql) {
        this.sql = sql;
    }

    /** Returns false if the key has no row. If it cannot be found out, returns true: then the row is to be locked. */
    boolean mayBeThere(Handle handle, TimerKey key, Binder binder) throws SQLException {
        return isVisible(handle, key) || !canBeInserted(handle, binder);
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
        Savepoint before = connection.setSavepoint();
        try {
            sql.driver("probe_timer").update(handle, binder);
            return true;
        } catch (JdbiException e) {
            return false;
        } finally {
            connection.rollback(before);
            connection.releaseSavepoint(before);
        }
    }
}
