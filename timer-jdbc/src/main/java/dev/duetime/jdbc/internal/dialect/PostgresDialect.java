package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.row.Exclusions;
import dev.duetime.jdbc.internal.row.Places;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.ScheduleByUpsert;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.jdbc.internal.write.SettleByArrays;
import dev.duetime.jdbc.internal.write.SettleStatements;
import dev.duetime.jdbc.internal.write.UpsertByArrays;
import dev.duetime.jdbc.internal.write.UpsertByRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL 13 and later. A batch is one statement that takes an array for each column.
 *
 * <p>If Citus distributes the tables over several servers, a schedule is given as rows, so that Citus sends each row to
 * its server. A settlement names its tenants, so that Citus asks no other server. One server is faster without both.
 */
final class PostgresDialect implements Dialect {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDialect.class);
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String QUERY_CANCELED = "57014";
    /** How long a settle waits for a row that another transaction holds. */
    private static final String LOCK_TIMEOUT_MILLIS = "250";

    /** The SQLSTATE class of objects that do not exist, or that the login may not read. */
    private static final String NOT_READABLE = "42";

    private final boolean distributed;
    private final boolean isolatesTooMuch;
    private final SqlFiles sql;
    private final @Nullable Places places;

    /**
     * Creates the dialect.
     *
     * @param distributed whether the tables are distributed over several servers
     * @param isolatesTooMuch whether transactions are stricter than READ COMMITTED by default
     */
    PostgresDialect(boolean distributed, boolean isolatesTooMuch, TableNames names) {
        this.distributed = distributed;
        this.isolatesTooMuch = isolatesTooMuch;
        sql = (distributed ? new SqlFiles("postgres", "citus") : new SqlFiles("postgres")).on(names);
        places = distributed ? null : new Places();
    }

    /** Returns whether the server is one of several, as far as this login may know. */
    static boolean isDistributed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(new SqlFiles("postgres").text("is_distributed"))) {
            return found.next();
        } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith(NOT_READABLE)) {
                throw e;
            }
            LOG.warn(
                    "whether PostgreSQL is distributed cannot be read, so it is taken for one server: {}",
                    e.getSQLState());
            return false;
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    /** Citus refuses some of these forms. */
    @Override
    public boolean takesArrays() {
        return !distributed;
    }

    /** Citus finds the server of a tenant by equality alone. */
    @Override
    public boolean plansForAverages() {
        return !distributed;
    }

    @Override
    public boolean indexesRecurring() {
        return true;
    }

    @Override
    public SqlFiles sql() {
        return sql;
    }

    /** Only on one server: a place is one of a server. */
    @Override
    public @Nullable Places places() {
        return places;
    }

    @Override
    public Traits traits() {
        return new Traits(64, distributed, true, false, true);
    }

    @Override
    public ScheduleStatements schedules() {
        return new ScheduleByUpsert(
                distributed ? new UpsertByRows(sql, waitBriefly()) : new UpsertByArrays(sql, waitBriefly()));
    }

    @Override
    public SettleStatements settlements(boolean briefly) {
        return new SettleByArrays(sql, distributed, places, briefly ? LOCK_TIMEOUT_MILLIS : null);
    }

    @Override
    public boolean isDistributed() {
        return distributed;
    }

    @Override
    public boolean renewsUnheld() {
        return !distributed && !isolatesTooMuch;
    }

    /** Also sends the setting to the other servers of a distributed database. */
    @Override
    public <T> T briefly(Handle handle, Transactions.Work<T> work) throws SQLException {
        if (distributed) {
            handle.execute(sql.text("propagate_settings"));
        }
        handle.execute(sql.text("limit_waits"));
        return limited(handle, LONGEST_WAIT, work);
    }

    /** A limit in the same round trip does not reach the other servers. */
    @Override
    public boolean limitsWaitsByTransaction() {
        return distributed;
    }

    /** On one server; as {@link #waitBriefly}. */
    @Override
    public @Nullable String limitWaits() {
        return distributed ? null : "limit_waits";
    }

    @Override
    public boolean deletesFreeRowsApart() {
        return false;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    /** Only on one server: the statement finds rows again by their physical place. */
    @Override
    public boolean expiresUnread() {
        return !distributed;
    }

    /** Only on one server: the nodes of a distributed database may be connected to several. */
    @Override
    public boolean notifies() {
        return !distributed;
    }

    @Override
    public Exclusions leftOut() {
        return Exclusions.BY_ARRAYS;
    }

    @Override
    public boolean readsBesideWrites() {
        return true;
    }

    /** Only on one server: the setting would not reach the others. */
    @Override
    public @Nullable String waitBriefly() {
        return distributed ? null : "wait_briefly";
    }

    @Override
    public @Nullable String waitLonger() {
        return distributed ? null : "wait_longer";
    }

    @Override
    public boolean isolatesTooMuch() {
        return isolatesTooMuch;
    }

    @Override
    public Collision collision(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return switch (state) {
            case UNIQUE_VIOLATION -> Collision.TAKEN_KEY;
            case SERIALIZATION_FAILURE, DEADLOCK -> Collision.GAVE_WAY;
            case LOCK_NOT_AVAILABLE -> Collision.LOCKED;
            default -> Collision.NONE;
        };
    }

    @Override
    public <T> T limited(Handle handle, Duration longest, Transactions.Work<T> work) throws SQLException {
        long began = System.nanoTime();
        try {
            return work.run(handle);
        } catch (SQLException | JdbiException e) {
            if (QUERY_CANCELED.equals(CancelledWait.stateOf(e)) && System.nanoTime() - began < longest.toNanos()) {
                throw new CancelledWait(LOCK_NOT_AVAILABLE, e);
            }
            throw e;
        }
    }

    @Override
    public void begin(Handle handle, boolean joined) {
        // The statements need READ COMMITTED. At a stricter level they fail in collisions, and are repeated.
    }

    @Override
    public boolean migratesOnTwoConnections() {
        return true;
    }
}
