package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling inside transactions that Spring manages. */
class SpringTransactionTest {
    private static final TimerKey KEY = TimerKey.of("order-17");

    private final FreshDatabases databases = Database.H2.open();
    private final HikariDataSource pool = FreshDatabases.pool(databases.create());
    private final TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final TimerKit kit =
            TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
    private final Timers timers =
            kit.scheduler().in(JdbcTransaction.managed(new TransactionAwareDataSourceProxy(pool)));

    @BeforeEach
    void createTable() {
        jdbc.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY)");
    }

    @AfterEach
    void close() {
        kit.close();
        pool.close();
        databases.close();
    }

    @Test
    void aTimerCommitsWithTheTransactionsOtherWrites() {
        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES ('17')");
            assertThat(timers.schedule(timer()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(timers.find(KEY)).isPresent();
            assertThat(kit.scheduler().find(KEY)).isEmpty();
        });

        kit.advance(Duration.ofMinutes(15));

        assertThat(kit.delivered()).hasSize(1);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aRollbackLeavesNothing() {
        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES ('17')");
            timers.schedule(timer());
            status.setRollbackOnly();
        });

        kit.advance(Duration.ofHours(1));

        assertThat(kit.delivered()).isEmpty();
        assertThat(kit.scheduler().find(KEY)).isEmpty();
        assertThat(orders()).isZero();
    }

    @Test
    void aCancellationIsUndoneByARollback() {
        kit.scheduler().schedule(timer());
        transaction.executeWithoutResult(status -> {
            timers.cancel(KEY);
            status.setRollbackOnly();
        });

        kit.advance(Duration.ofMinutes(15));

        assertThat(kit.delivered()).hasSize(1);
    }

    @Test
    void withoutATransactionACallIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> timers.schedule(timer()))
                .withMessage("connection must be in a transaction but was in auto-commit mode");
        assertThat(kit.scheduler().find(KEY)).isEmpty();
    }

    @Test
    void aPoolWithoutTransactionProxyIsRefused() {
        JdbcTransaction unmanaged = JdbcTransaction.managed(pool);

        transaction.executeWithoutResult(status -> assertThatIllegalArgumentException()
                .isThrownBy(() -> kit.scheduler().in(unmanaged))
                .withMessageContaining("TransactionAwareDataSourceProxy"));
    }

    @Test
    void noConnectionIsLeaked() {
        int reservedForLeases = pool.getHikariPoolMXBean().getActiveConnections();

        for (int i = 0; i < 5 * FreshDatabases.CONNECTIONS; i++) {
            transaction.executeWithoutResult(status -> timers.schedule(timer()));
        }

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(reservedForLeases);
    }

    @Test
    void anErrorOfTheDriverLeaksNoConnection() {
        int before = pool.getHikariPoolMXBean().getActiveConnections();
        JdbcTransaction failing = JdbcTransaction.managed(new DataSourceDecorator(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, given) -> {
                            if (method.getName().equals("close")) {
                                connection.close();
                                return null;
                            }
                            throw new StackOverflowError("test");
                        });
            }
        });

        assertThatThrownBy(() -> kit.store().in(failing).find(KEY)).isInstanceOf(StackOverflowError.class);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(before);
    }

    private static Timer timer() {
        return Timer.after(KEY, Duration.ofMinutes(15)).build();
    }

    private int orders() {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class);
        return count == null ? 0 : count;
    }
}
