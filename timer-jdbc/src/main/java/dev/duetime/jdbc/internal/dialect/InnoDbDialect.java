package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.write.ScheduleByLocking;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * What MariaDB and MySQL have in common: the storage engine InnoDB, its locks, and its errors.
 *
 * <p>Transactions of the store's own are READ COMMITTED: under REPEATABLE READ, the default here, a search locks the
 * gaps between keys and blocks those who insert there.
 */
abstract class InnoDbDialect implements Dialect {
    static final String SERIALIZATION_FAILURE = "40001";
    static final int DUPLICATE_KEY = 1062;
    static final int LOCK_WAIT_TIMEOUT = 1205;

    /** No statement returns as many rows. */
    private static final double LEAST_SELECT_LIMIT = 1_000_000_000;

    private static final Traits TRAITS = new Traits(64, false, false, true, true);

    final SqlFiles sql;
    private final String survivesTimeout;

    /**
     * Creates the dialect.
     *
     * @param survivesTimeout the file of the statement that says whether a timeout undid only its own statement
     */
    InnoDbDialect(SqlFiles sql, String survivesTimeout) {
        this.sql = sql;
        this.survivesTimeout = survivesTimeout;
    }

    /** Refuses a session that leaves rows out, or that cannot write at READ COMMITTED. */
    final void refuseSession(Connection connection) throws SQLException {
        refuseSelectLimit(connection);
        refuseSafeUpdates(connection);
        Map<String, String> settings = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql.text("binary_log"))) {
            while (rows.next()) {
                settings.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        refuseStatementFormat(settings);
    }

    /**
     * Refuses a binary log that holds statements: InnoDB then fails each write of a transaction at READ COMMITTED.
     *
     * @param settings those of the session about the binary log; one that is unknown is missing
     */
    static void refuseStatementFormat(Map<String, String> settings) {
        if ("STATEMENT".equalsIgnoreCase(settings.get("binlog_format"))
                && "ON".equalsIgnoreCase(settings.get("log_bin"))
                && !"OFF".equalsIgnoreCase(settings.get("sql_log_bin"))) {
            throw new IllegalArgumentException("binlog_format must be ROW or MIXED for the connections of Duetime but"
                    + " is STATEMENT: InnoDB then refuses writes at READ COMMITTED");
        }
    }

    private void refuseSelectLimit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("select_limit"))) {
            if (row.next() && row.getDouble(1) < LEAST_SELECT_LIMIT) {
                throw new IllegalArgumentException("sql_select_limit must not be set for the connections of Duetime but"
                        + " is %.0f: results would lack rows".formatted(row.getDouble(1)));
            }
        }
    }

    private void refuseSafeUpdates(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("safe_updates"))) {
            if (row.next() && row.getInt(1) != 0) {
                throw new IllegalArgumentException("sql_safe_updates must be 0 for the connections of Duetime but is 1:"
                        + " outcomes and leases could not be written");
            }
        }
    }

    @Override
    public final SqlFiles sql() {
        return sql;
    }

    @Override
    public final Traits traits() {
        return TRAITS;
    }

    @Override
    public final ScheduleStatements schedules() {
        return new ScheduleByLocking(sql, true, true);
    }

    /** Searches of REPEATABLE READ transactions lock them. A write that changes an index adds an entry to it. */
    @Override
    public final boolean locksGaps() {
        return true;
    }

    @Override
    public final boolean survivesLockTimeout(Handle handle) {
        return handle.createQuery(sql.text(survivesTimeout))
                .mapTo(Boolean.class)
                .one();
    }

    @Override
    public final boolean readsBesideWrites() {
        return true;
    }

    /** A part takes about 0.4 ms. Each opens the table once more, of which the server keeps some hundred open. */
    @Override
    public final int mostForecastParts() {
        return 64;
    }

    @Override
    public final boolean boundsUpcoming() {
        return true;
    }

    @Override
    public final boolean indexesEachState() {
        return true;
    }

    @Override
    public final boolean locksNow() {
        return true;
    }

    /** The setting is in seconds. A single statement outside a longer transaction uses NOWAIT instead. */
    @Override
    public final Restore limitWaitsOfTransaction(Connection connection) throws SQLException {
        return LockWaitSetting.limit(connection, sql, 1);
    }

    @Override
    public final Restore keepForLeases(Connection connection) throws SQLException {
        return LockWaitSetting.limitAtReadCommitted(connection, sql);
    }

    @Override
    public final void begin(Handle handle, boolean joined) {
        if (!joined) {
            handle.execute(sql.text("begin"));
        }
    }
}
