package dev.duetime.jdbc.internal.schema;

import dev.duetime.StoreException;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The migration of the schema with Flyway. It runs in the current schema of the connection and has its own history, so
 * a host application can migrate its own tables there.
 *
 * <p>Flyway takes a lock once there is a history. If several nodes start at once on an empty schema, one of them
 * creates the history, and others may fail. These try again. A lock of our own would take one more connection out of a
 * pool that may be small.
 *
 * <p>MariaDB and H2 commit each statement. If a migration fails half-way there, Flyway notes that and refuses the next
 * start. Every statement of a migration does nothing the second time. So the note is deleted, and the migration runs
 * again.
 */
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final int ATTEMPTS = 10;
    /** Databases that commit each statement of a migration. */
    private static final Set<String> RUN_AGAIN = Set.of("mariadb", "h2");

    /** A read-only transaction, a missing right, and the same two on H2. */
    private static final Set<String> FORBIDDEN = Set.of("25006", "42501", "90096", "90097");

    /** A missing right on a database or a table. Their SQLSTATE is that of a syntax error. */
    private static final Set<Integer> DENIED_BY_MARIADB = Set.of(1044, 1142);

    private static final long LONGER_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final DataSource dataSource;
    private final String dialect;
    private final @Nullable String schema;

    /**
     * Creates them.
     *
     * @param schema the schema of the tables; the current one of the data source's connections by default
     */
    public Migrations(DataSource dataSource, String dialect, @Nullable String schema) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.schema = schema;
    }

    public void run() {
        StoreException reason = null;
        boolean isRefusal = false;
        for (int attempt = 1; ; attempt++) {
            try {
                flyway().migrate();
                return;
            } catch (FlywayException e) {
                checkModule();
                StoreException failure = Failures.of("migrate", "schema", e);
                // Later attempts may fail only because of the remains of the first one. A refused attempt leaves
                // nothing.
                if (reason == null || isRefusal) {
                    reason = failure;
                    isRefusal = e instanceof FlywayValidateException;
                }
                if (attempt == ATTEMPTS || isAway(e) || isForbidden(e)) {
                    throw reason;
                }
                LOG.debug("migration failed, attempt {}: {}", attempt, failure.getMessage());
            }
            if (RUN_AGAIN.contains(dialect)) {
                forgetFailure();
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(attempt * LONGER_PAUSE_NANOS));
        }
    }

    /** Deletes Flyway's note of a failed migration, because of which Flyway would refuse to run it again. */
    private void forgetFailure() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(new SqlFiles(dialect).text("forget_failed_migration"));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            String failure =
                    Failures.of("delete the note of", "a failed migration", e).getMessage();
            LOG.debug("there is no note of a failed migration, or it cannot be deleted: {}", failure);
        }
    }

    /** Returns whether there was no connection. Then another attempt would only wait as long again. */
    private static boolean isAway(FlywayException e) {
        return Failures.any(
                e,
                each -> each instanceof SQLTransientConnectionException
                        || String.valueOf(each.getSQLState()).startsWith("08"));
    }

    /**
     * Returns whether the session is read-only or the login lacks a right. Another attempt would fail in the same way,
     * after the nine seconds for which Flyway itself repeats the creation of its history.
     */
    private boolean isForbidden(FlywayException e) {
        return Failures.any(
                e,
                each -> FORBIDDEN.contains(String.valueOf(each.getSQLState()))
                        || (dialect.equals("mariadb") && DENIED_BY_MARIADB.contains(each.getErrorCode())));
    }

    private Flyway flyway() {
        FluentConfiguration configuration = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .table("duetime_schema_history")
                .locations("classpath:dev/duetime/jdbc/migrations/" + dialect)
                .failOnMissingLocations(true)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .cleanDisabled(true)
                .skipDefaultCallbacks(true)
                .placeholderReplacement(false);
        return (schema == null ? configuration : configuration.defaultSchema(schema)).load();
    }

    /**
     * Refuses a Flyway that does not know the database. Its modules have the version of its core, which the host
     * chooses.
     */
    private void checkModule() {
        switch (dialect) {
            case "postgres" ->
                checkModule(
                        "flyway-database-postgresql",
                        "org.flywaydb.database.postgresql.PostgreSQLDatabaseType",
                        "org.flywaydb.core.internal.database.postgresql.PostgreSQLDatabaseType");
            case "mariadb" -> checkModule("flyway-mysql", "org.flywaydb.database.mysql.MySQLDatabaseType");
            default -> LOG.trace("{} is part of Flyway's core", dialect);
        }
    }

    private static void checkModule(String artifact, String... types) {
        if (Stream.of(types).noneMatch(Migrations::isPresent)) {
            throw new IllegalStateException("Flyway must have its module for this database but has not: add"
                    + " org.flywaydb:" + artifact
                    + " in the version of flyway-core, or run the migrations yourself and set"
                    + " migrate(false)");
        }
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Migrations.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
