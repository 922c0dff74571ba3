package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the error for a missing database, or for a missing Flyway module. */
class UnsupportedDatabaseTest {

    @Test
    void anotherDatabaseIsRefusedByName() {
        DatabaseMetaData about = answering(DatabaseMetaData.class, "getDatabaseProductName", "Oracle");
        Connection connection = answering(Connection.class, "getMetaData", about);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(answering(DataSource.class, "getConnection", connection)))
                .withMessage("database must be PostgreSQL, MariaDB, MySQL, H2 or SQLite but was Oracle");
    }

    @Test
    void mySqlBefore8IsRefusedByItsVersion() {
        DatabaseMetaData about = answering(
                DatabaseMetaData.class,
                Map.of(
                        "getDatabaseProductName", "MySQL",
                        "getDatabaseMajorVersion", 5,
                        "getDatabaseProductVersion", "5.7.44-log"));
        Connection connection = answering(Connection.class, "getMetaData", about);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(answering(DataSource.class, "getConnection", connection)))
                .withMessage("MySQL must have version 8.0 or later but has 5.7.44-log");
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, flyway-database-postgresql", "MARIADB, flyway-mysql", "MYSQL, flyway-mysql"})
    void aMissingModuleOfFlywayIsNamed(Database kind, String module) throws Exception {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                URLClassLoader without =
                        new URLClassLoader(classPathWithout(module), ClassLoader.getPlatformClassLoader())) {
            Class<?> store = without.loadClass(JdbcScheduleStore.class.getName());

            assertThatThrownBy(() -> store.getMethod("of", DataSource.class).invoke(null, pool))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("add org.flywaydb:" + module + " in the version of flyway-core");
        }
    }

    private static URL[] classPathWithout(String module) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry :
                System.getProperty("java.class.path").split(Pattern.quote(System.getProperty("path.separator")), -1)) {
            if (!entry.contains(module)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    /** Returns an object that answers one method, or some, and does nothing else. */
    private static <T> T answering(Class<T> type, String answered, Object answer) {
        return answering(type, Map.of(answered, answer));
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.get(method.getName())));
    }
}
