package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.StoreException;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of opening a store when the database does not answer. */
class OpeningTest {
    private static final Duration LIMIT = Duration.ofMillis(50);

    @Test
    void aServerThatNeverAnswersFailsTheOpeningWithinItsTimeout() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        DataSource silent = given(() -> {
            boolean interrupted = false;
            while (answer.getCount() > 0) {
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    // Some drivers ignore an interrupt, too.
                    interrupted = true;
                }
            }
            assertThat(interrupted).isTrue();
            return closing(closed);
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(silent))
                .withMessage("open store failed: no connection came within PT0.05S"
                        + " (SQLTransientConnectionException, SQLSTATE 08001, code 0)");

        answer.countDown();
        assertThat(closed.await(30, TimeUnit.SECONDS))
                .as("what came too late is closed")
                .isTrue();
    }

    @Test
    void aPoolWithoutConnectionsIsAskedOnceAndTheErrorNamesItsCause() {
        AtomicInteger asked = new AtomicInteger();
        DataSource refusing = given(() -> {
            asked.incrementAndGet();
            throw new SQLTransientConnectionException(
                    "pool - Connection is not available",
                    "08001",
                    new SQLException("FATAL: role \"app\" is not permitted to log in", "28000"));
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(refusing))
                .withMessageContaining("Connection is not available")
                .withMessageContaining("role \"app\" is not permitted to log in");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aPoolWithoutFreeConnectionsDuringMigrationIsNotAskedTenTimes() {
        AtomicInteger asked = new AtomicInteger();
        DataSource drying = given(() -> {
            if (asked.incrementAndGet() > 1) {
                throw new SQLTransientConnectionException("pool - Connection is not available", "08001");
            }
            return DriverManager.getConnection("jdbc:h2:mem:");
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> JdbcScheduleStore.of(drying))
                .withMessageStartingWith("migrate schema failed: ")
                .withMessageContaining("Connection is not available");
        assertThat(asked).hasValueLessThan(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "42501"})
    void aMigrationThatTheDatabaseForbidsIsTriedOnce(String state) {
        AtomicInteger asked = new AtomicInteger();
        DataSource forbidding = given(() -> {
            if (asked.incrementAndGet() > 1) {
                throw new SQLException("cannot create a table here", state);
            }
            return DriverManager.getConnection("jdbc:h2:mem:");
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> JdbcScheduleStore.of(forbidding))
                .withMessageStartingWith("migrate schema failed: ")
                .withMessageContaining("cannot create a table here");
        assertThat(asked).hasValue(2);
    }

    /** These servers have no SQLSTATE of their own for it. */
    @ParameterizedTest
    @CsvSource({
        "MARIADB, HY000, 1290",
        "MARIADB, HY000, 1792",
        "MARIADB, HY000, 1836",
        "MARIADB, 42000, 1227",
        "MYSQL, HY000, 1290",
        "MYSQL, HY000, 1836",
        "MYSQL, 42000, 1227"
    })
    void aMigrationOnAServerThatTakesNoWritesIsTriedOnce(Database kind, String state, int code) {
        AtomicInteger asked = new AtomicInteger();
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            DataSource forbidding = given(() -> {
                if (asked.incrementAndGet() > 1) {
                    throw new SQLException("the server is running with an option", state, code);
                }
                return DriverManager.getConnection(url);
            });

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> JdbcScheduleStore.of(forbidding))
                    .withMessageStartingWith("migrate schema failed: ");
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void aReadOnlyFileOfSqliteIsTriedOnce(@TempDir Path directory) throws SQLException {
        String file = "jdbc:sqlite:file:" + directory.resolve("timers.db");
        try (Connection connection = DriverManager.getConnection(file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE host (id INTEGER)");
        }

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> JdbcScheduleStore.of(given(() -> DriverManager.getConnection(file + "?mode=ro"))))
                .withMessageContaining("readonly");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aSessionThatRefusesToChangeManyRowsIsRefused(Database kind) {
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcScheduleStore.of(given(() -> {
                        Connection connection = DriverManager.getConnection(url);
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("SET sql_safe_updates = 1");
                        }
                        return connection;
                    })))
                    .withMessage("sql_safe_updates must be 0 for the connections of Duetime but is 1: outcomes and"
                            + " leases could not be written");
        }
    }

    @Test
    void aPoolOfReadOnlyConnectionsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(given(OpeningTest::readOnly)))
                .withMessage("dataSource must not be read-only: the store writes to the primary database");
    }

    @ParameterizedTest
    @CsvSource({
        "IGNORECASE=TRUE, keys must be compared with their case but IGNORECASE is set; leave it out of the URL",
        "MODE=Strict, LIMIT must be allowed in the database but is not; change MODE for the connections of Duetime",
        "MODE=MSSQLServer, LIMIT must be allowed in the database but is not; change MODE for the connections of Duetime"
    })
    void anH2ThatWouldChangeWhatIsStoredOrReadIsRefused(String setting, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> JdbcScheduleStore.of(given(() -> DriverManager.getConnection("jdbc:h2:mem:;" + setting))))
                .withMessage(message);
    }

    @Test
    @SuppressWarnings("NullAway") // a caller without nullness checks
    void aMissingDataSourceIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(null))
                .withMessage("dataSource must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcTransaction.of((Connection) null))
                .withMessage("connection must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcTransaction.of((Handle) null))
                .withMessage("handle must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcTransaction.managed(null))
                .withMessage("dataSource must not be null");
    }

    @Test
    void aTimeoutOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.builder(given(() -> DriverManager.getConnection("jdbc:h2:mem:")))
                        .openTimeout(Duration.ZERO))
                .withMessage("openTimeout must be between PT0.01S and PT1H but was PT0S");
    }

    private static void open(DataSource dataSource) {
        JdbcScheduleStore.builder(dataSource).openTimeout(LIMIT).build();
    }

    private static Connection closing(CountDownLatch closed) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        return proxy((unused, method, arguments) -> {
            if (method.getName().equals("close")) {
                closed.countDown();
            }
            return method.invoke(connection, arguments);
        });
    }

    /** PostgreSQL's and MariaDB's drivers give such a connection if the pool is set to be read-only. */
    private static Connection readOnly() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        return proxy((unused, method, arguments) ->
                method.getName().equals("isReadOnly") ? true : method.invoke(connection, arguments));
    }

    private static Connection proxy(InvocationHandler handler) {
        return (Connection)
                Proxy.newProxyInstance(OpeningTest.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
    }

    private static DataSource given(Connections connections) {
        return new DataSourceDecorator(new org.h2.jdbcx.JdbcDataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return connections.next();
            }
        };
    }

    @FunctionalInterface
    private interface Connections {
        Connection next() throws SQLException;
    }
}
