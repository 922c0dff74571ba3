package dev.duetime.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.ScheduleStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of every store, on one database, and what this store promises beyond it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcScheduleStoreContract extends ScheduleStoreContract {
    private final FreshDatabases databases;
    private final HikariDataSource dataSource;
    private final JdbcScheduleStore store;

    JdbcScheduleStoreContract(FreshDatabases databases) {
        this.databases = databases;
        dataSource = FreshDatabases.pool(databases.create());
        store = JdbcScheduleStore.of(dataSource);
    }

    @AfterAll
    void close() {
        dataSource.close();
        databases.close();
    }

    @Override
    protected ScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (Connection connection = dataSource.getConnection()) {
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
