package dev.duetime.jdbc.internal.schema;

import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
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
 * <p>MariaDB, MySQL and H2 commit each statement. If a migration fails half-way there, Flyway notes that and refuses
 * the next start. Every statement of a migration does nothing the second time. So the note is deleted, and the
 * migration runs again.
 */
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final int ATTEMPTS = 10;
    /** Databases that commit each statement of a migration. */
    private static final Set<String> RUN_AGAIN = Set.of("mariadb", "mysql", "h2");

    /** A read-only transaction, a missing right, and the same two on H2. */
    private static final Set<String> FORBIDDEN = Set.of("25006", "42501", "90096", "90097");

    /**
     * A missing right on a database or a table, a missing right of an administrator, and a server that takes no writes:
     * by an option, in a transaction, or by its storage engine. Other errors have the same SQLSTATEs.
     */
    private static final Set<Integer> FORBIDDEN_BY_MARIADB = Set.of(1044, 1142, 1227, 1290, 1792, 1836);

    /** SQLite's code for a file that it may not write. Its errors have no SQLSTATE. */
    private static final int READ_ONLY_IN_SQLITE = 8;

    private static final Set<String> LIKE_MARIADB = Set.of("mariadb", "mysql");

    private static final long LONGER_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final DataSource dataSource;
    private final SqlFiles statements;
    private final @Nullable String schema;

    /**
     * Creates the migrations of a database.
     *
     * @param schema the schema of the tables, which Flyway creates if there is none; null for the current one of the
     *     data source's connections
     */
    public Migrations(DataSource dataSource, SqlFiles statements, @Nullable String schema) {
        this.dataSource = dataSource;
        this.statements = statements;
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
                LOG.debug("migration failed, attempt {}: {}", attempt, Errors.message(failure));
            }
            if (RUN_AGAIN.contains(statements.dialect())) {
                forgetFailure();
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(attempt * LONGER_PAUSE_NANOS));
        }
    }

    /** Deletes Flyway's note of a failed migration, because of which Flyway would refuse to run it again. */
    private void forgetFailure() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(statements.text("forget_failed_migration"));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            String failure = Errors.message(Failures.of("delete the note of", "a failed migration", e));
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
                        || (LIKE_MARIADB.contains(statements.dialect())
                                && FORBIDDEN_BY_MARIADB.contains(each.getErrorCode()))
                        || (statements.dialect().equals("sqlite")
                                && (each.getErrorCode() & 0xFF) == READ_ONLY_IN_SQLITE));
    }

    private Flyway flyway() {
        FluentConfiguration configuration = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .table(statements.names().history())
                .locations("classpath:dev/duetime/jdbc/migrations/" + statements.dialect())
                .failOnMissingLocations(true)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .cleanDisabled(true)
                .skipDefaultCallbacks(true)
                .placeholderReplacement(false);
        if (isNativeImage()) {
            // An image has no folders that Flyway could search.
            configuration.resourceProvider(new NamedMigrations(statements)).javaMigrationClassProvider(List::of);
        } else if (!statements.names().prefix().isEmpty()) {
            configuration.resourceProvider(new NamedMigrations(statements));
        }
        return (schema == null ? configuration : configuration.defaultSchema(schema)).load();
    }

    private static boolean isNativeImage() {
        return System.getProperty("org.graalvm.nativeimage.imagecode") != null;
    }

    /** Refuses a Flyway that does not know the database. */
    private void checkModule() {
        FlywayModule module = FlywayModule.of(statements.dialect());
        if (!module.isPresent()) {
            throw new IllegalStateException("Flyway must have its module for this database but has not: add " + module
                    + " in the version of flyway-core, or run the migrations yourself and set"
                    + " migrate(false)");
        }
    }
}
