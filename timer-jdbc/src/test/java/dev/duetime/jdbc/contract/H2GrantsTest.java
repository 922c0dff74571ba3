package dev.duetime.jdbc.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of every store on H2, by a login that has the rights to run alone, after one that owns the schema.
 * {@code docs/operations.md} names the rights.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2GrantsTest extends ScheduleStoreContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final Connection administrator = DriverManager.getConnection(url, "sa", "");
    private final HikariDataSource running;
    private final ScheduleStore store;

    H2GrantsTest() throws SQLException {
        execute(List.of(
                "SET WRITE_DELAY 0",
                "CREATE USER migrator PASSWORD 'secret'",
                "CREATE USER runner PASSWORD 'secret'",
                "CREATE SCHEMA timers AUTHORIZATION migrator"));
        try (HikariDataSource migrating = pool("migrator")) {
            JdbcScheduleStore.of(migrating);
        }
        execute(List.of("GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA timers TO runner"));
        running = pool("runner");
        store = JdbcScheduleStore.builder(running).migrate(false).build();
    }

    private HikariDataSource pool(String user) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url + ";SCHEMA=timers");
        pool.setUsername(user);
        pool.setPassword("secret");
        return pool;
    }

    private void execute(List<String> statements) throws SQLException {
        try (Statement statement = administrator.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @AfterAll
    void close() throws SQLException {
        running.close();
        administrator.close();
    }

    @Override
    protected ScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (Connection connection = running.getConnection()) {
            connection.setAutoCommit(false);
            try {
                R result = work.apply(JdbcTransaction.of(connection));
                if (commit) {
                    connection.commit();
                }
                return result;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
