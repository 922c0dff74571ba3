package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.ScheduleByLocking;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.jdbc.internal.write.SettleByBatch;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB 10.6 and later. A batch is one round trip of many statements.
 *
 * <p>Transactions of the store's own are READ COMMITTED: under REPEATABLE READ, the default here, a search locks the
 * gaps between keys and blocks those who insert there.
 */
final class MariaDbDialect implements Dialect {
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final int DUPLICATE_KEY = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int CHANGED_SINCE_LAST_READ = 1020;
    private static final Traits TRAITS = new Traits(64, false, false, true, true);

    private final SqlFiles sql = new SqlFiles("mariadb");

    @Override
    public @Nullable String waitLonger() {
        return "wait_longer";
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Dialect.refuseEmptyAsNull(connection, sql, "EMPTY_STRING_IS_NULL of sql_mode");
    }

    @Override
    public SqlFiles sql() {
        return sql;
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public ScheduleStatements schedules() {
        return new ScheduleByLocking(sql, true, true);
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByBatch(sql);
    }

    @Override
    public <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_briefly", work);
    }

    /**
     * Without any wait: the setting is in seconds, and each statement of a batch would wait. The work must not skip
     * locked rows: MariaDB 10.11 then fails with error 1180.
     */
    @Override
    public <T> T brieflyInTotal(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_never", work);
    }

    private <T> T limited(Handle handle, String limit, Transactions.Work<T> work) throws SQLException {
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute(sql.text(limit));
            try {
                return work.run(handle);
            } finally {
                statement.execute(sql.text("wait_as_before"));
            }
        }
    }

    /** Searches of REPEATABLE READ transactions lock them. A write that changes an index adds an entry to it. */
    @Override
    public boolean locksGaps() {
        return true;
    }

    @Override
    public boolean survivesLockTimeout(Handle handle) {
        return handle.createQuery(sql.text("in_transaction"))
                .mapTo(Boolean.class)
                .one();
    }

    @Override
    public boolean executesBatchesToTheEnd() {
        return true;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT;
    }

    @Override
    public boolean readsBesideWrites() {
        return true;
    }

    @Override
    public boolean indexesEachState() {
        return true;
    }

    @Override
    public boolean locksNow() {
        return true;
    }

    /** The setting is in seconds. A single statement outside a longer transaction uses NOWAIT instead. */
    @Override
    public Restore limitWaitsOfTransaction(Connection connection) throws SQLException {
        return LockWaitSetting.limit(connection, sql, 1);
    }

    @Override
    public Collision collision(SQLException e) {
        if (e.getErrorCode() == DUPLICATE_KEY) {
            return Collision.TAKEN_KEY;
        }
        if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
            return Collision.LOCKED;
        }
        boolean gaveWay = SERIALIZATION_FAILURE.equals(e.getSQLState()) || e.getErrorCode() == CHANGED_SINCE_LAST_READ;
        return gaveWay ? Collision.GAVE_WAY : Collision.NONE;
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        if (!joined) {
            handle.execute(sql.text("begin"));
        }
    }
}
