package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a store without Flyway on the class path creates nothing, and uses tables that others created. */
class WithoutFlywayTest {

    /** Opens a store, and returns the message of the error, if there is one. Runs in a class loader without Flyway. */
    public static final class Opening implements Callable<String> {
        private final DataSource pool;

        public Opening(DataSource pool) {
            this.pool = pool;
        }

        @Override
        public String call() {
            try {
                JdbcScheduleStore.of(pool);
                return "opened";
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private static String openedWithoutFlyway(DataSource pool) throws Exception {
        URL[] jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("flyway"))
                .map(WithoutFlywayTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            Object opening = loader.loadClass(Opening.class.getName())
                    .getConstructor(DataSource.class)
                    .newInstance(pool);
            return String.valueOf(((Callable<?>) opening).call());
        }
    }

    static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, postgres, org.flywaydb:flyway-database-postgresql",
        "MARIADB, mariadb, org.flywaydb:flyway-mysql",
        "MYSQL, mysql, org.flywaydb:flyway-mysql",
        "H2, h2, org.flywaydb:flyway-core",
        "SQLITE, sqlite, org.flywaydb:flyway-core"
    })
    void withoutTablesTheErrorNamesTheSqlAndTheModuleAndNothingIsCreated(Database kind, String folder, String module)
            throws Exception {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            String message = openedWithoutFlyway(pool);

            assertThat(message)
                    .startsWith("tables of timers must have version ")
                    .contains("but version 1 could not be read: run dev/duetime/jdbc/migrations/" + folder
                            + "/V1__timers.sql and the files after it (java -jar timer-jdbc.jar print " + folder
                            + " prints it), grant SELECT, INSERT, UPDATE and DELETE on the tables, or add Flyway to"
                            + " the class path (" + module + "): ");
            assertThat(openedWithoutFlyway(pool)).isEqualTo(message);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onTablesOfThisVersionTheStoreOpens(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore.of(pool);

            assertThat(openedWithoutFlyway(pool)).isEqualTo("opened");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOlderVersionIsRefusedAndTheErrorNamesTheFirstFileThatIsMissing(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore.of(pool);
            for (String table : List.of("timer_hints", "timer_pauses")) {
                JdbcPart.execute(pool, "DROP TABLE " + table);
            }
            JdbcPart.execute(pool, "CREATE TABLE timer_pauses (queue varchar(64))");

            assertThat(openedWithoutFlyway(pool))
                    .contains("but version 2 could not be read: run dev/duetime/jdbc/migrations/", "/V2__hints.sql and")
                    .containsPattern("print \\w+ --after 1 prints it");
        }
    }

    @ParameterizedTest
    @CsvSource({"timers, acme_, --schema timers --table-prefix acme_", "timers, '', --schema timers"})
    void theErrorPrintsTheTablesWithTheirNames(String schema, String prefix, String options) {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcPart.execute(pool, "CREATE SCHEMA \"timers\"");
            JdbcScheduleStoreBuilder store = JdbcScheduleStore.builder(pool)
                    .schema(schema)
                    .tablePrefix(prefix)
                    .migrate(false);

            assertThatIllegalStateException()
                    .isThrownBy(store::build)
                    .withMessageContaining("(java -jar timer-jdbc.jar print h2 " + options + " prints it)");
        }
    }
}
