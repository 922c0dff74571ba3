package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.StoreException;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.NewTimer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a transaction which could not be rolled back is not committed either, by a switch to auto-commit. */
class FailedRollbackTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private static NewTimer timer(long number) {
        TimerContent content =
                new TimerContent("q", NOW, null, "test", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new NewTimer(TimerKey.of("t" + number), 0, content, number, NOW, true);
    }

    /** The pool cannot know that a connection was closed below it, and is told. */
    @ParameterizedTest
    @EnumSource
    void nothingIsCommittedAfterARollbackThatFailed(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource below = databases.open(databases.create())) {
            FailingEnds ends = new FailingEnds(below);
            HikariConfig config = new HikariConfig();
            config.setDataSource(ends);
            config.setMaximumPoolSize(2);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                JdbcScheduleStore store = databases
                        .configured(JdbcScheduleStore.builder(databases.ofStore(pool)), below)
                        .build();
                List<NewTimer> timers = IntStream.range(1, 600)
                        .mapToObj(FailedRollbackTest::timer)
                        .toList();
                ends.fails = true;
                assertThatThrownBy(() -> store.schedule(timers)).isInstanceOf(StoreException.class);
                ends.fails = false;

                assertThat(ends.rollbacks).isPositive();
                for (int i = 0; i < 20; i++) {
                    assertThat(store.query(TimerQuery.all().allowScan())).isEmpty();
                }
                store.schedule(timers);
                assertThat(store.find(TimerKey.of("t1"))).isPresent();
            }
        }
    }

    /** A data source whose connections neither commit nor roll back, although they work. */
    private static final class FailingEnds extends DataSourceDecorator {
        private volatile boolean fails;
        private volatile int rollbacks;

        FailingEnds(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (unused, method, args) -> {
                        String name = method.getName();
                        if (fails && name.equals("rollback")) {
                            rollbacks++;
                            throw new SQLException("a test");
                        }
                        if (fails && name.equals("commit")) {
                            throw new SQLException("a test");
                        }
                        try {
                            return method.invoke(connection, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
