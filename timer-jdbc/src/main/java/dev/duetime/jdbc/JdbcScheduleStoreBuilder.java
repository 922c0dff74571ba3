package dev.duetime.jdbc;

import dev.duetime.StoreException;
import dev.duetime.internal.Limits;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.OpeningConnections;
import dev.duetime.jdbc.internal.connection.PoolSize;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.schema.Migrations;
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
    private Duration openTimeout = OPEN_TIMEOUT;
    private Duration lockTimeout = LOCK_TIMEOUT;

    JdbcScheduleStoreBuilder(DataSource dataSource) {
        this.dataSource = new CheckedDataSource(Limits.given("dataSource", dataSource));
    }

    /**
     * Sets whether {@link #build} brings the schema up to date with Flyway; true by default. If not, run the files
     * below {@code dev/duetime/jdbc/migrations} yourself: they are plain SQL.
     */
    public JdbcScheduleStoreBuilder migrate(boolean migrate) {
        this.migrate = migrate;
        return this;
    }

    /**
     * Sets a data source whose login may create tables, where that of the pool may not; the pool itself by default. The
     * tables are created in the current schema of the pool. The pool's login needs rights on them, which you grant.
     */
    public JdbcScheduleStoreBuilder migrateBy(DataSource migrations) {
        this.migrations = migrations;
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
     * @throws IllegalArgumentException if the pool's connections are read-only; if the database is not supported,
     *     treats an empty text as NULL, or is set to be distributed and is not PostgreSQL; or if it migrates, and the
     *     pool has one connection where two are needed
     * @throws IllegalStateException if it migrates, and Flyway lacks its module for the database
     * @throws StoreException if the database failed, or gave no connection within {@link #openTimeout}; its message
     *     contains the whole chain of causes
     */
    public JdbcScheduleStore build() {
        DataSource opening = new OpeningConnections(dataSource, openTimeout);
        Dialect dialect = dialect(opening);
        if (migrate) {
            checkThatItCanMigrate(dialect);
            migrations(opening, dialect.sql().dialect()).run();
        }
        return new JdbcScheduleStore(dataSource, dialect, lockTimeout);
    }

    /** While Flyway holds a lock on one connection, it migrates on another one. */
    private void checkThatItCanMigrate(Dialect dialect) {
        DataSource used = migrations == null ? dataSource.pool() : migrations;
        if (dialect.migratesOnTwoConnections() && PoolSize.of(used).orElse(2) == 1) {
            throw new IllegalArgumentException((migrations == null ? "dataSource" : "migrateBy")
                    + " must have at least 2 connections to migrate but has 1: enlarge the pool, or migrate by another"
                    + " data source (migrateBy)");
        }
    }

    private Migrations migrations(DataSource opening, String dialect) {
        if (migrations == null) {
            return new Migrations(opening, dialect, null);
        }
        try (Connection connection = opening.getConnection()) {
            return new Migrations(new OpeningConnections(migrations, openTimeout), dialect, connection.getSchema());
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
            Dialect dialect = Dialect.of(connection, distributed);
            checkThatItWrites(connection);
            dialect.check(connection);
            dialect.makeDurable(connection);
            return dialect;
        } catch (SQLException e) {
            throw Failures.of("open", "store", e);
        }
    }
}
