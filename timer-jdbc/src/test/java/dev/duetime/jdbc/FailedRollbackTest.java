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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a transaction which could not be rolled back is not committed either, by a switch to auto-commit. */
class FailedRollbackTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private static final List<NewTimer> TIMERS =
            LongStream.range(1, 600).mapToObj(FailedRollbackTest::timer).toList();

    private static NewTimer timer(long number) {
        TimerContent content =
                new TimerContent("q", NOW, null, "test", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new NewTimer(TimerKey.of("t" + number), 0, content, number, NOW, true);
    }

    /** The pool cannot know that a connection was closed below it, and is told. */
    @ParameterizedTest
    @EnumSource
    void nothingIsCommittedAfterARollbackThatFailed(Database kind) throws SQLException {
        try (Broken broken = new Broken(kind)) {
            JdbcScheduleStore store = broken.store;
            broken.fails = true;
            assertThatThrownBy(() -> store.schedule(TIMERS)).isInstanceOf(StoreException.class);
            broken.fails = false;

            assertThat(broken.rollbacks.get()).isPositive();
            for (int i = 0; i < 20; i++) {
                assertThat(store.query(TimerQuery.all().allowScan())).isEmpty();
            }
            store.schedule(TIMERS);
            assertThat(store.find(TIMERS.get(0).key())).isPresent();
        }
    }

    /** A signal of the store must not hide the failed rollback: here a key is taken, and the store tries another way. */
    @ParameterizedTest
    @EnumSource
    void nothingIsCommittedAfterASignalWhoseRollbackFailed(Database kind) throws SQLException {
        try (Broken broken = new Broken(kind)) {
            JdbcScheduleStore store = broken.store;
            store.schedule(TIMERS.subList(0, 1));
            broken.fails = true;
            assertThatThrownBy(() -> store.schedule(TIMERS)).isInstanceOf(StoreException.class);
            broken.fails = false;

            for (int i = 0; i < 20; i++) {
                assertThat(store.query(TimerQuery.all().allowScan())).hasSize(1);
            }
            assertThat(broken.rollbacks.get()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolLosesNoneOfItsConnections(Database kind) throws SQLException {
        try (Broken broken = new Broken(kind)) {
            JdbcScheduleStore store = broken.store;
            for (int i = 0; i < 5; i++) {
                broken.cuts = true;
                assertThatThrownBy(() -> store.schedule(TIMERS)).isInstanceOf(StoreException.class);
                broken.cuts = false;
                assertThat(store.query(TimerQuery.all().allowScan())).isEmpty();
            }
            assertThat(broken.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** A pool whose connections are lost before a commit, or neither commit nor roll back although they work. */
    private static final class Broken extends DataSourceDecorator implements AutoCloseable {
        private final FreshDatabases databases;
        private final HikariDataSource below;
        private final HikariDataSource pool;
        private final JdbcScheduleStore store;
        private volatile boolean fails;
        private volatile boolean cuts;
        private final AtomicInteger rollbacks = new AtomicInteger();

        Broken(Database kind) {
            this(kind.open());
        }

        private Broken(FreshDatabases databases) {
            this(databases, databases.open(databases.create()));
        }

        private Broken(FreshDatabases databases, HikariDataSource below) {
            super(below);
            this.databases = databases;
            this.below = below;
            HikariConfig config = new HikariConfig();
            config.setDataSource(this);
            config.setMaximumPoolSize(2);
            pool = new HikariDataSource(config);
            store = databases
                    .configured(JdbcScheduleStore.builder(databases.ofStore(pool)), below)
                    .build();
        }

        /** Not one of the pool below, which would keep a connection that was lost. */
        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection(below.getJdbcUrl());
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (unused, method, args) -> {
                        String name = method.getName();
                        if (fails && name.equals("rollback")) {
                            rollbacks.incrementAndGet();
                            throw new SQLException("a test");
                        }
                        if (cuts && name.equals("commit")) {
                            connection.close();
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

        @Override
        public void close() {
            pool.close();
            below.close();
            databases.close();
        }
    }
}
