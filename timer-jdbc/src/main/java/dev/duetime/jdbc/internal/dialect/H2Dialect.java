package dev.duetime.jdbc.internal.dialect;

import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.ScheduleByLocking;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.jdbc.internal.write.SettleByBatch;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** H2 2.2 and later, embedded or as a server. */
public final class H2Dialect implements Dialect {
    private static final long LEASES_WAIT_MILLIS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(H2Dialect.class);
    private static final int ADMIN_RIGHTS_REQUIRED = 90040;
    private static final int SYNTAX_ERROR = 42_000;
    private static final String DUPLICATE_KEY = "23505";
    private static final int DEADLOCK = 40001;
    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int GENERAL_ERROR = 50000;
    private static final int ALREADY_OPEN = 90020;

    /** The end of the message of an internal error without its own code: illegal state of a transaction. */
    private static final String ILLEGAL_STATE = "/103]";

    /**
     * When this version writes a commit into reused space, it enters the chunk before that one in the file's header. If
     * the process is killed, the next one to open the file finds neither this commit nor later ones. Space is reused
     * once it has been free for 45 s, so young files do not show the error. H2 2.4.240 does not have this error.
     */
    private static final String LOSES_COMMITS = "2.5.252";

    private static final Traits EMBEDDED = new Traits(4, false, false, false, false);
    private static final Traits SERVER = new Traits(64, false, false, false, false);

    private final SqlFiles sql;
    private final Traits traits;

    /** Returns the dialect. The schema is taken in upper case, as H2 does, if there is none as it is written. */
    static H2Dialect of(DatabaseMetaData about, TableNames names) throws SQLException {
        String schema = names.schema();
        if (schema == null || !about.storesUpperCaseIdentifiers() || exists(about, schema)) {
            return new H2Dialect(about.getURL(), names);
        }
        return new H2Dialect(about.getURL(), names.in(schema.toUpperCase(Locale.ROOT)));
    }

    private static boolean exists(DatabaseMetaData about, String schema) throws SQLException {
        try (ResultSet schemas = about.getSchemas()) {
            while (schemas.next()) {
                if (schema.equals(schemas.getString("TABLE_SCHEM"))) {
                    return true;
                }
            }
            return false;
        }
    }

    public H2Dialect(String url, TableNames names) {
        sql = new SqlFiles("h2").on(names);
        traits = url.startsWith("jdbc:h2:tcp:") || url.startsWith("jdbc:h2:ssl:") ? SERVER : EMBEDDED;
    }

    /** H2 writes a commit up to half a second late by default: a process that is killed would lose accepted timers. */
    @Override
    public @Nullable String waitLonger() {
        return "wait_longer";
    }

    @Override
    public void makeDurable(Connection connection) throws SQLException {
        if (losesCommits(connection)) {
            LOG.warn(
                    "H2 {} may lose the last timers when the process is killed, since it does not always find its last"
                            + " commits again: take 2.4.240, or add ;REUSE_SPACE=FALSE to the URL, and the file only"
                            + " grows",
                    LOSES_COMMITS);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.text("write_at_once"));
        } catch (SQLException e) {
            if (e.getErrorCode() != ADMIN_RIGHTS_REQUIRED) {
                throw e;
            }
            LOG.warn("H2 may lose the last timers when the process is killed: this login may not SET WRITE_DELAY 0;"
                    + " add ;WRITE_DELAY=0 to the URL");
        }
    }

    private boolean losesCommits(Connection connection) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductVersion().startsWith(LOSES_COMMITS)) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("uses_space_again"))) {
            return row.next();
        }
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Dialect.refuseEmptyAsNull(connection, sql, "MODE");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("ignores_case"))) {
            if (row.next() && row.getInt(1) == 1) {
                throw new IllegalArgumentException(
                        "keys must be compared with their case but IGNORECASE is set; leave it out of the URL");
            }
        } catch (SQLException e) {
            if (e.getErrorCode() != SYNTAX_ERROR) {
                throw e;
            }
            throw new IllegalArgumentException(
                    "LIMIT must be allowed in the database but is not; change MODE for the connections of Duetime", e);
        }
    }

    @Override
    public SqlFiles sql() {
        return sql;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public ScheduleStatements schedules() {
        return new ScheduleByLocking(sql, false, false);
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByBatch(sql);
    }

    @Override
    public <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_briefly", work);
    }

    /** With the shortest wait, since each statement of a batch would wait. */
    @Override
    public <T> T brieflyInTotal(Handle handle, Transactions.Work<T> work) throws SQLException {
        return limited(handle, "wait_shortest", work);
    }

    private <T> T limited(Handle handle, String limit, Transactions.Work<T> work) throws SQLException {
        try (Statement statement = handle.getConnection().createStatement()) {
            int before;
            try (ResultSet row = statement.executeQuery(sql.text("lock_timeout"))) {
                row.next();
                before = row.getInt(1);
            }
            statement.execute(sql.text(limit));
            Restore setting =
                    () -> statement.execute(sql.text("wait_as_before").replace("<millis>", Integer.toString(before)));
            return setting.after(handle, work);
        }
    }

    @Override
    public Restore keepForLeases(Connection connection) throws SQLException {
        return LockWaitSetting.limit(connection, sql, LEASES_WAIT_MILLIS);
    }

    /** Also as a server, whose heap is not known. */
    @Override
    public boolean keepsWritesInMemory() {
        return true;
    }

    @Override
    public boolean executesBatchesToTheEnd() {
        return true;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_TIMEOUT;
    }

    @Override
    public Collision collision(SQLException e) {
        if (DUPLICATE_KEY.equals(e.getSQLState())) {
            return Collision.TAKEN_KEY;
        }
        return switch (e.getErrorCode()) {
            case LOCK_TIMEOUT -> Collision.LOCKED;
            case DEADLOCK, CONCURRENT_UPDATE -> Collision.GAVE_WAY;
            case GENERAL_ERROR -> isDeadlockUnderway(e) ? Collision.GAVE_WAY : Collision.NONE;
            default -> Collision.NONE;
        };
    }

    /**
     * After H2 has closed a database that it could not write, new connections open the file again. If a connection from
     * before is used once more, H2 forgets the new database. It stays open for the connections that it has, and locks
     * the file for all others.
     */
    @Override
    public boolean isHeldByOlderConnections(SQLException e) {
        return e.getErrorCode() == ALREADY_OPEN;
    }

    /**
     * The shortest wait that H2 allows, because H2 swallows an interrupt that comes during the wait. Zero would mean
     * the default of 2 s.
     */
    @Override
    public Restore limitWaits(Connection connection) throws SQLException {
        return LockWaitSetting.limit(connection, sql, 1);
    }

    /**
     * H2 rolls back the victim of a deadlock from another thread. The victim's calls during that time fail in this way.
     */
    private static boolean isDeadlockUnderway(SQLException e) {
        return String.valueOf(Errors.message(e)).contains(ILLEGAL_STATE);
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        // READ COMMITTED, the default, is what the statements need.
    }

    @Override
    public boolean migratesOnTwoConnections() {
        return true;
    }
}
