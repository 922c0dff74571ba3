package dev.duetime.jdbc.internal.dialect;

import dev.duetime.jdbc.internal.row.Exclusions;
import dev.duetime.jdbc.internal.row.Places;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.jdbc.internal.write.SettleStatements;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The ways in which one database differs from the others. Implementations are immutable and thread-safe. */
public interface Dialect extends LockWaits {
    /**
     * Returns the dialect of the connected database.
     *
     * @param distributed whether it is distributed over several servers; null to ask the database
     * @param names the names of the tables; on H2 the schema is taken in upper case if there is none as it is written
     * @throws IllegalArgumentException if the database is not supported, or not as a distributed one, or refuses the
     *     names
     */
    static Dialect of(Connection connection, @Nullable Boolean distributed, TableNames names) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String product = about.getDatabaseProductName();
        String known = product.toLowerCase(Locale.ROOT);
        if (Boolean.TRUE.equals(distributed) && !known.equals("postgresql")) {
            throw new IllegalArgumentException(
                    "distributed must be false but on PostgreSQL but was true on " + product);
        }
        Dialect dialect = switch (known) {
            case "postgresql" ->
                new PostgresDialect(
                        distributed == null ? PostgresDialect.isDistributed(connection) : distributed,
                        connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED,
                        names);
            case "mariadb" -> new MariaDbDialect(names);
            case "h2" -> H2Dialect.of(about, names);
            case "sqlite" -> new SqliteDialect(names);
            case "mysql" -> MySqlDialect.of(about, names);
            default ->
                throw new IllegalArgumentException(
                        "database must be PostgreSQL, MariaDB, MySQL, H2 or SQLite but was " + product);
        };
        names.checkFor(dialect.sql().dialect(), product);
        return dialect;
    }

    /** Makes the database write each commit durably, if it does not by default. Called once, when a store is opened. */
    default void makeDurable(Connection connection) throws SQLException {
        // Most databases do so by default.
    }

    /**
     * Refuses a session that would change what it stores, or what it returns. Called once, when a store is opened.
     *
     * @throws IllegalArgumentException if it takes an empty text for NULL, ignores case, or leaves out rows or counts
     */
    default void check(Connection connection) throws SQLException {
        // Most databases have no such setting.
    }

    /** Refuses a session that takes an empty text for NULL, which is the scope of every timer. */
    static void refuseEmptyAsNull(Connection connection, SqlFiles sql, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.text("empty_is_null"))) {
            if (row.next() && row.getInt(1) == 1) {
                throw new IllegalArgumentException("an empty text must not be NULL in the database but is; change "
                        + setting + " for the connections of Duetime");
            }
        }
    }

    /** Returns its statements. */
    SqlFiles sql();

    /**
     * Returns where due rows were read; null if rows have no place by which a settlement finds them faster. Where there
     * are places, a read of due timers also tells the size of the table.
     */
    default @Nullable Places places() {
        return null;
    }

    /** Returns the abilities and limits of the database. */
    Traits traits();

    /** Returns how schedules are written. */
    ScheduleStatements schedules();

    /**
     * Returns how outcomes are written.
     *
     * @param briefly whether to leave rows that another transaction holds
     */
    SettleStatements settlements(boolean briefly);

    /**
     * Returns whether a deletion that met a held row is repeated for the rows that no transaction holds. A database
     * that skips held rows needs no repeat: there the lock is on the whole table.
     */
    default boolean deletesFreeRowsApart() {
        return true;
    }

    /** Returns whether the tables are distributed over several servers. */
    default boolean isDistributed() {
        return false;
    }

    /** Returns whether one statement renews leases and skips the rows that another transaction holds. */
    default boolean renewsUnheld() {
        return false;
    }

    /**
     * Sets up a connection that is kept for leases, so that no statement on it waits longer than a second for a row,
     * and each may run outside a transaction.
     *
     * @return restores the settings; null if the database has none for this
     */
    default @Nullable Restore keepForLeases(Connection connection) throws SQLException {
        return null;
    }

    /** Returns whether the database can end expired timers without reading them. */
    default boolean expiresUnread() {
        return false;
    }

    /** Returns whether reads can run at the same time as writes, at no noticeable cost to either. */
    default boolean readsBesideWrites() {
        return false;
    }

    /** Returns whether the database works in this process and keeps in its heap what a transaction writes. */
    default boolean keepsWritesInMemory() {
        return false;
    }

    /** Returns whether the database can notify sessions of what others committed. */
    default boolean notifies() {
        return false;
    }

    /** Returns whether an index finds timers of every state, not only scheduled and dead ones. */
    default boolean indexesEachState() {
        return false;
    }

    /** Returns whether plans are kept that do not know the tenant, so that the tenant is written as a range. */
    default boolean plansForAverages() {
        return false;
    }

    /** Returns whether one statement writes many rows, from an array for each column. */
    default boolean takesArrays() {
        return false;
    }

    /** Returns whether an index finds the timers that recur. */
    default boolean indexesRecurring() {
        return false;
    }

    /** Returns how many parts of a UNION a forecast may have, where it takes longer to plan a part than to run it. */
    default int mostForecastParts() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns whether a page of upcoming timers is read from a few entries of each shard. If a shard may have more of
     * the page, another statement reads up to the last timer that was found.
     */
    default boolean boundsUpcoming() {
        return false;
    }

    /** Returns how a read leaves out excluded timers. */
    default Exclusions leftOut() {
        return Exclusions.BY_LINES;
    }

    /** Returns how another transaction caused an error, if one did. Error codes decide, where the database has them. */
    Collision collision(SQLException e);

    /** Returns whether a rollback failed because the database had ended the transaction itself. */
    default boolean hasEndedTransaction(Exception failure) {
        return false;
    }

    /** Returns whether no connection can be opened as long as older connections of this process are open. */
    default boolean isHeldByOlderConnections(SQLException e) {
        return false;
    }

    /** Returns whether Flyway migrates on one connection while it holds its lock on another one. */
    default boolean migratesOnTwoConnections() {
        return false;
    }

    /** Returns whether the pool's connections isolate transactions so strictly that our transactions fail. */
    default boolean isolatesTooMuch() {
        return false;
    }

    /**
     * Prepares a transaction of several statements before the first one.
     *
     * @param joined whether a caller owns it
     */
    void begin(Handle handle, boolean joined);

    /**
     * The abilities and limits of a database.
     *
     * @param defaultShards how many shards a queue has by default: few if the database serves one machine
     * @param mergesLazily whether the oldest rows of many parts are read without reading each part to its limit
     * @param failureEndsTransaction whether after a failed statement nothing in the transaction can be committed any
     *     more
     * @param hidesCommits whether a caller's transaction reads an old snapshot at the usual isolation level, unless it
     *     locks
     * @param locksAndInserts whether one statement locks a row or inserts it
     */
    record Traits(
            int defaultShards,
            boolean mergesLazily,
            boolean failureEndsTransaction,
            boolean hidesCommits,
            boolean locksAndInserts) {}
}
