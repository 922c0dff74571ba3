package dev.duetime.lab.chaos.login;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.lab.chaos.server.OwnServer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of every store, by a login that has the rights to run alone, after one that has the rights to migrate
 * alone. {@code docs/operations.md} names the rights.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GrantedLogins extends ScheduleStoreContract {
    private static final int CONNECTIONS = 10;

    private final OwnServer server;
    private final HikariDataSource running;
    private final ScheduleStore store;

    /**
     * Migrates by one login, and opens the store by another.
     *
     * @param migrator the URL of the login that migrates, made from that of the server's administrator
     * @param runner likewise, of the one that runs
     * @param before what the administrator does before the migration
     * @param after what the administrator does after it
     */
    GrantedLogins(
            OwnServer server,
            Function<String, String> migrator,
            Function<String, String> runner,
            List<String> before,
            List<String> after) {
        this.server = server;
        execute(server.url(), before);
        try (HikariDataSource migrating = pool(migrator.apply(server.url()))) {
            JdbcScheduleStore.of(migrating);
        }
        execute(server.url(), after);
        running = pool(runner.apply(server.url()));
        store = JdbcScheduleStore.builder(running).migrate(false).build();
    }

    static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(CONNECTIONS);
        return pool;
    }

    static void execute(String url, List<String> statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    void close() {
        running.close();
        server.close();
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
