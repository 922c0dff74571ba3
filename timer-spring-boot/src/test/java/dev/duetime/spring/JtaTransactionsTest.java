package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.Timers;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling in transactions of JTA, in which each connection of the pool takes part. */
class JtaTransactionsTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionIsJoined(boolean commits) {
        run(true, (transaction, application) -> {
            transaction.executeWithoutResult(status -> {
                application.timers().schedule(Applications.timer("in", "x"));
                if (!commits) {
                    status.setRollbackOnly();
                }
            });
            application.timers().schedule(Applications.timer("after", "x"));

            assertThat(application.stored()).isEqualTo(commits ? 2 : 1);
        });
    }

    /** A connection that takes part in no transaction would look the same. */
    @Test
    void aPoolWithoutAutoCommitIsRefused() {
        run(false, (transaction, application) -> {
            transaction.executeWithoutResult(status -> assertThatIllegalStateException()
                    .isThrownBy(() -> application.timers().schedule(Applications.timer("in", "x")))
                    .withMessageContaining("auto-commit mode outside of transactions"));

            assertThat(application.stored()).isZero();
        });
    }

    private record Application(Timers timers, JdbcTemplate jdbc) {
        int stored() {
            Integer count = jdbc.queryForObject("SELECT count(*) FROM timer_schedules", Integer.class);
            return count == null ? 0 : count;
        }
    }

    private static void run(boolean autoCommit, BiConsumer<TransactionTemplate, Application> test) {
        try (FreshDatabase database = FreshDatabase.h2()) {
            EnlistingPool pool = new EnlistingPool(database, autoCommit);
            Applications.runner()
                    .withBean(DataSource.class, () -> pool)
                    .withBean(JtaTransactionManager.class, () -> manager(pool))
                    .run(context -> test.accept(
                            new TransactionTemplate(context.getBean(JtaTransactionManager.class)),
                            new Application(
                                    context.getBean(Timers.class),
                                    new JdbcTemplate(new DriverManagerDataSource(
                                            database.url(), database.user(), database.password())))));
        }
    }

    private static JtaTransactionManager manager(EnlistingPool pool) {
        JtaTransactionManager manager = new JtaTransactionManager(pool.new Transaction());
        manager.setAutodetectTransactionManager(false);
        manager.setAutodetectTransactionSynchronizationRegistry(false);
        return manager;
    }

    /** A pool whose connections take part in the transaction of the thread. */
    private static final class EnlistingPool extends DelegatingDataSource {
        @SuppressWarnings("ThreadLocalUsage") // Each pool has its own.
        private final ThreadLocal<@Nullable Connection> enlisted = new ThreadLocal<>();

        private final boolean autoCommit;

        EnlistingPool(FreshDatabase database, boolean autoCommit) {
            super(new DriverManagerDataSource(database.url(), database.user(), database.password()));
            this.autoCommit = autoCommit;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = enlisted.get();
            return connection == null ? open(autoCommit) : withoutClose(connection);
        }

        private Connection open(boolean commits) throws SQLException {
            Connection connection = super.getConnection();
            connection.setAutoCommit(commits);
            return connection;
        }

        private static Connection withoutClose(Connection connection) {
            return (Connection) Proxy.newProxyInstance(
                    JtaTransactionsTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, args) -> {
                        if (method.getName().equals("close")) {
                            return null;
                        }
                        try {
                            return method.invoke(connection, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        final class Transaction implements UserTransaction {
            @Override
            public void begin() {
                try {
                    enlisted.set(open(false));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void commit() {
                end(Connection::commit);
            }

            @Override
            public void rollback() {
                end(Connection::rollback);
            }

            private void end(How how) {
                try (Connection connection = enlisted.get()) {
                    how.end(connection);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                } finally {
                    enlisted.remove();
                }
            }

            @Override
            public void setRollbackOnly() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int getStatus() {
                return enlisted.get() == null ? Status.STATUS_NO_TRANSACTION : Status.STATUS_ACTIVE;
            }

            @Override
            public void setTransactionTimeout(int seconds) {
                throw new UnsupportedOperationException();
            }
        }

        private interface How {
            void end(Connection connection) throws SQLException;
        }
    }
}
