package dev.duetime.jdbc;

import dev.duetime.StoreException;
import dev.duetime.internal.Limits;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.KnownPools;
import dev.duetime.jdbc.internal.connection.OpeningConnections;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.schema.FlywayModule;
import dev.duetime.jdbc.internal.schema.Migrations;
import dev.duetime.jdbc.internal.schema.Tables;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link JdbcScheduleStore}. Not thread-safe. */
public final class JdbcScheduleStoreBuilder {
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(35);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private final CheckedDataSource dataSource;
    private boolean migrate = true;
    private @Nullable DataSource migrations;
    private @Nullable Boolean distributed;
    private TableNames names = TableNames.AS_WRITTEN;
    private Duration openTimeout = OPEN_TIMEOUT;
    private Duration lockTimeout = LOCK_TIMEOUT;

    JdbcScheduleStoreBuilder(DataSource dataSource) {
        this.dataSource = new CheckedDataSource(Limits.given("dataSource", dataSource));
    }

    /**
     * Sets whether {@link #build} brings the schema up to date with Flyway; true by default. If not, or if Flyway is
     * not on the class path, {@link #build} creates nothing and checks that the tables have the version of this library
     * and may be read. Run the files below {@code dev/duetime/jdbc/migrations} then yourself: they are plain SQL.
     * {@code java -jar timer-jdbc.jar print postgres} prints them.
     */
    public JdbcScheduleStoreBuilder migrate(boolean migrate) {
        this.migrate = migrate;
        return this;
    }

    /**
     * Sets a data source whose login may create tables, where that of the pool may not; the pool itself by default. The
     * tables are created in {@link #schema}, or else in the current schema of the pool. The pool's login needs rights
     * on them, which you grant.
     */
    public JdbcScheduleStoreBuilder migrateBy(DataSource migrations) {
        this.migrations = migrations;
        return this;
    }

    /**
     * Sets the schema of the tables; on MariaDB and MySQL that is a database; the current schema of each connection by
     * default. Every statement then names it, so that it need not be the current schema of the pool, or of a
     * transaction that a caller owns. {@link #build} creates it if it migrates and there is none. Upper and lower case
     * matter, but on H2 {@code timers} also means {@code TIMERS}, if there is no {@code timers}. SQLite has no schemas.
     *
     * @param schema letters of ASCII, digits, underscores and hyphens, beginning with a letter or underscore; at most
     *     63 characters on PostgreSQL, 64 on MariaDB and MySQL, 256 on H2, which {@link #build} checks
     * @throws IllegalArgumentException if it is null or contains anything else
     */
    public JdbcScheduleStoreBuilder schema(String schema) {
        names = names.in(TableNames.checkedSchema(schema));
        return this;
    }

    /**
     * Sets what the names of all tables, indexes and notifications begin with; empty by default. Stores with different
     * prefixes in one schema do not see each other's timers. Upper and lower case matter as they do in quoted names,
     * but not on H2.
     *
     * @param tablePrefix empty, or letters of ASCII, digits and underscores, beginning with a letter or underscore; at
     *     most 31 characters on PostgreSQL, 32 on MariaDB and MySQL, 224 on H2 and SQLite, which {@link #build} checks
     * @throws IllegalArgumentException if it is null or contains anything else
     */
    public JdbcScheduleStoreBuilder tablePrefix(String tablePrefix) {
        names = new TableNames(names.schema(), TableNames.checkedPrefix(tablePrefix));
        return this;
    }

    /**
     * Sets whether the tables are distributed over several PostgreSQL servers by Citus. Statements are then written in
     * a form that Citus accepts. That form also works on one server, but is slower. The other form fails on distributed
     * tables. By default the tables count as distributed if the database has the extension {@code citus} when the store
     * is opened.
     */
    public JdbcScheduleStoreBuilder distributed(boolean distributed) {
        this.distributed = distributed;
        return this;
    }

    /**
     * Sets how long {@code schedule} and {@code cancel} wait for a row that another transaction has locked; 10 s by
     * default. After that the call throws a {@link dev.duetime.store.CollisionException}.
     *
     * @param lockTimeout 10 ms to 1 h
     * @throws IllegalArgumentException if it is null or out of range
     */
    public JdbcScheduleStoreBuilder lockTimeout(Duration lockTimeout) {
        this.lockTimeout = checked("lockTimeout", lockTimeout);
        return this;
    }

    /**
     * Sets how long {@link #build} waits for a connection; 35 s by default, which is longer than HikariCP waits, so
     * that its error says why there is none. A connection that comes later is closed. Migrations may take as long
     * as they need.
     *
     * @param openTimeout 10 ms to 1 h
     * @throws IllegalArgumentException if it is null or out of range
     */
    public JdbcScheduleStoreBuilder openTimeout(Duration openTimeout) {
        this.openTimeout = checked("openTimeout", openTimeout);
        return this;
    }

    private static Duration checked(String setting, Duration timeout) {
        if (timeout == null || timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("%s must be between %s and %s but was %s"
                    .formatted(setting, SHORTEST_TIMEOUT, LONGEST_TIMEOUT, timeout));
        }
        return timeout;
    }

    /**
     * Opens the store.
     *
     * @throws IllegalArgumentException if the pool's connections are read-only; if the schema or the prefix is too long
     *     for the database, or it has no schemas; if the database is not supported, treats an empty text as NULL,
     *     ignores the case of text, or leaves out rows or counts, or is set to be distributed and is not PostgreSQL; or
     *     if it migrates, and the pool has one connection where two are needed
     * @throws IllegalStateException if it migrates, and Flyway lacks its module for the database; or if it does not
     *     migrate, and a table or column is missing or may not be read
     * @throws StoreException if the database failed, or gave no connection within {@link #openTimeout}; its message
     *     contains the whole chain of causes
     */
    public JdbcScheduleStore build() {
        DataSource opening = new OpeningConnections(dataSource, openTimeout);
        Dialect dialect = dialect(opening);
        boolean withFlyway = FlywayModule.isCorePresent();
        if (migrate && withFlyway) {
            checkThatItCanMigrate(dialect);
            migrations(opening, dialect.sql()).run();
        } else {
            checkTables(opening, dialect, withFlyway);
        }
        return new JdbcScheduleStore(dataSource, dialect, lockTimeout);
    }

    /** While Flyway holds a lock on one connection, it migrates on another one. */
    private void checkThatItCanMigrate(Dialect dialect) {
        DataSource used = migrations == null ? dataSource.pool() : migrations;
        if (dialect.migratesOnTwoConnections() && KnownPools.size(used).orElse(2) == 1) {
            throw new IllegalArgumentException((migrations == null ? "dataSource" : "migrateBy")
                    + " must have at least 2 connections to migrate but has 1: enlarge the pool, or migrate by another"
                    + " data source (migrateBy)");
        }
    }

    private static void checkTables(DataSource opening, Dialect dialect, boolean withFlyway) {
        try (Connection connection = opening.getConnection()) {
            Tables.check(connection, dialect.sql(), withFlyway);
        } catch (SQLException e) {
            throw Failures.of("open", "store", e);
        }
    }

    private Migrations migrations(DataSource opening, SqlFiles statements) {
        String schema = statements.names().schema();
        if (migrations == null || schema != null) {
            DataSource used = migrations == null ? opening : new OpeningConnections(migrations, openTimeout);
            return new Migrations(used, statements, schema);
        }
        try (Connection connection = opening.getConnection()) {
            return new Migrations(new OpeningConnections(migrations, openTimeout), statements, connection.getSchema());
        } catch (SQLException e) {
            throw Failures.of("open", "store", e);
        }
    }

    private static void checkThatItWrites(Connection connection) throws SQLException {
        if (connection.isReadOnly()) {
            throw new IllegalArgumentException(
                    "dataSource must not be read-only: the store writes to the primary database");
        }
    }

    private Dialect dialect(DataSource opening) {
        try (Connection connection = opening.getConnection()) {
            Dialect dialect = Dialect.of(connection, distributed, names);
            checkThatItWrites(connection);
            dialect.check(connection);
            dialect.makeDurable(connection);
            return dialect;
        } catch (SQLException e) {
            throw Failures.of("open", "store", e);
        }
    }
}
