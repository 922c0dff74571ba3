package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A limit on how long a connection waits for locks, for databases where that is a setting of the session. The old
 * setting is restored.
 */
final class LockWaitSetting {

    private LockWaitSetting() {}

    /**
     * Limits the wait.
     *
     * @param sql has the statements {@code lock_wait}, which reads the setting, and {@code set_lock_wait}, where the
     *     new one takes the place of {@code <wait>}: a setting takes no parameter
     * @param wait the most it is set to, in the unit of the database
     */
    static LockWaits.Restore limit(Connection connection, SqlFiles sql, long wait) throws SQLException {
        long before;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("lock_wait"))) {
            row.next();
            before = row.getLong(1);
        }
        if (before > wait) {
            set(connection, sql, wait);
        }
        // Restored in any case: meanwhile the transaction may set it to something else.
        return () -> {
            if (!connection.isClosed()) {
                set(connection, sql, before);
            }
        };
    }

    /**
     * Limits the wait to a second, and makes each statement commit by itself at READ COMMITTED: then an update waits
     * for no row that it does not write.
     */
    static LockWaits.Restore limitAtReadCommitted(Connection connection, SqlFiles sql) throws SQLException {
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        LockWaits.Restore isolation = () -> {
            if (!connection.isClosed()) {
                connection.setTransactionIsolation(before);
            }
        };
        LockWaits.Restore wait;
        try {
            wait = limit(connection, sql, 1);
        } catch (Throwable e) {
            try (isolation) {
                throw e;
            }
        }
        return () -> {
            try (isolation) {
                wait.close();
            }
        };
    }

    private static void set(Connection connection, SqlFiles sql, long wait) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.text("set_lock_wait").replace("<wait>", Long.toString(wait)));
        }
    }
}
