package dev.duetime.jdbc.engine;

import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.CollisionException;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a node that only schedules wakes the nodes that deliver, by a push or by a row that they read. */
class HintsOnDatabaseTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration TURN = Duration.ofMillis(100);
    private static final WakeUp HINT = new WakeUp("q", Set.of(3), Instant.parse("2031-05-06T07:08:09.123456Z"));

    /** A pooler in transaction mode: what is executed reaches other sessions than the one that it shows. */
    private static final class TransactionPooler extends DataSourceDecorator {
        private final DataSource pool;

        TransactionPooler(DataSource pool) {
            super(pool);
            this.pool = pool;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection client = pool.getConnection();
            Connection server = pool.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                        boolean ofClient = method.getName().equals("unwrap")
                                || method.getName().equals("isWrapperFor");
                        try {
                            if (method.getName().equals("close")) {
                                client.close();
                            }
                            return method.invoke(ofClient ? client : server, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    /** A data source that remembers the first connection that it gave out. */
    private static final class FirstConnection extends DataSourceDecorator {
        private @Nullable Connection first;

        FirstConnection(DataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            first = first == null ? connection : first;
            return connection;
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Without a hint the timer would be delivered by the next poll, in an hour. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aTimerOfANodeThatOnlySchedulesIsDeliveredLongBeforeThePoll(Database kind) throws InterruptedException {
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch delivered = new CountDownLatch(20);
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            try (HikariDataSource pool = pool(url);
                    HikariDataSource other = pool(url);
                    Scheduler worker = Scheduler.builder()
                            .store(JdbcScheduleStore.of(pool))
                            .pollInterval(LONG)
                            .publisher(batch -> batch.forEach(each -> delivered.countDown()))
                            .listener(new NodeListener() {
                                @Override
                                public void shardsAcquired(String queue, int count, int owned) {
                                    owns.countDown();
                                }
                            })
                            .build();
                    Scheduler web = Scheduler.builder()
                            .store(JdbcScheduleStore.of(other))
                            .pollInterval(LONG)
                            .build()) {
                worker.start();
                await(owns);
                for (int i = 0; i < 20; i++) {
                    web.schedule(
                            Timer.after("t-" + i, Duration.ofMillis(20L * i)).build());
                }

                await(delivered);
            }
        }
    }

    @Test
    void onPostgresHintsArePushedOnAConnectionOfTheirOwn() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create())) {
            WakeUps wakeUps = JdbcScheduleStore.of(pool).wakeUps();
            WakeUps.Receiver receiver = wakeUps.receive().orElseThrow();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
            wakeUps.send(List.of(HINT));
            assertThat(first(receiver)).isEqualTo(HINT);

            receiver.close();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** A node that was suspended while it sent hints holds the rows of its queues. */
    @Test
    void aHeldRowOfHintsKeepsNoPushBack() throws SQLException {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create());
                Connection holder = pool.getConnection();
                Statement statement = holder.createStatement()) {
            WakeUps wakeUps = JdbcScheduleStore.of(pool).wakeUps();
            try (WakeUps.Receiver receiver = wakeUps.receive().orElseThrow()) {
                wakeUps.send(List.of(new WakeUp("q", Set.of(), Instant.EPOCH)));
                assertThat(first(receiver).dueAt()).isEqualTo(Instant.EPOCH);
                holder.setAutoCommit(false);
                statement.execute("UPDATE timer_hints SET due_at = 1");

                assertThatThrownBy(() -> wakeUps.send(List.of(HINT))).isInstanceOf(CollisionException.class);
                assertThat(first(receiver)).isEqualTo(HINT);
            } finally {
                holder.rollback();
            }
        }
    }

    /** The sender sends several hints at once, and then each alone. */
    @Test
    void aFreeHintIsPushedOnceAlthoughAnotherIsHeld() throws SQLException {
        WakeUp held = new WakeUp("held", Set.of(), Instant.EPOCH);
        WakeUp last = new WakeUp("z", Set.of(), Instant.EPOCH);
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create());
                Connection holder = pool.getConnection();
                Statement statement = holder.createStatement()) {
            WakeUps wakeUps = JdbcScheduleStore.of(pool).wakeUps();
            wakeUps.send(List.of(held));
            try (WakeUps.Receiver receiver = wakeUps.receive().orElseThrow()) {
                holder.setAutoCommit(false);
                statement.execute("UPDATE timer_hints SET due_at = 1");
                assertThatThrownBy(() -> wakeUps.send(List.of(held, HINT))).isInstanceOf(CollisionException.class);
                wakeUps.send(List.of(HINT));
                wakeUps.send(List.of(last));

                List<WakeUp> pushed = new ArrayList<>();
                while (!pushed.contains(last)) {
                    pushed.addAll(receiver.await(TURN));
                }
                assertThat(pushed).containsExactly(HINT, last);
            } finally {
                holder.rollback();
            }
        }
    }

    /** The sender repeats it each second. */
    @Test
    void aHeldHintIsPushedOnceWhileItIsHeld() throws SQLException {
        WakeUp equal = new WakeUp(HINT.queue(), HINT.shards(), HINT.dueAt());
        WakeUp last = new WakeUp("z", Set.of(), Instant.EPOCH);
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create());
                Connection holder = pool.getConnection();
                Statement statement = holder.createStatement()) {
            WakeUps wakeUps = JdbcScheduleStore.of(pool).wakeUps();
            wakeUps.send(List.of(HINT));
            try (WakeUps.Receiver receiver = wakeUps.receive().orElseThrow()) {
                holder.setAutoCommit(false);
                statement.execute("UPDATE timer_hints SET due_at = 1");
                for (WakeUp each : List.of(HINT, HINT, equal)) {
                    assertThatThrownBy(() -> wakeUps.send(List.of(each))).isInstanceOf(CollisionException.class);
                }
                wakeUps.send(List.of(last));

                List<WakeUp> pushed = new ArrayList<>();
                while (!pushed.contains(last)) {
                    pushed.addAll(receiver.await(TURN));
                }
                assertThat(pushed).containsExactly(HINT, equal, last);
            } finally {
                holder.rollback();
            }
        }
    }

    @Test
    void nodesInAnotherSchemaOfTheDatabaseReceiveNothing() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create());
                HikariDataSource elsewhere = pool(databases.create())) {
            WakeUps wakeUps = JdbcScheduleStore.of(pool).wakeUps();
            try (WakeUps.Receiver receiver = wakeUps.receive().orElseThrow()) {
                JdbcScheduleStore.of(elsewhere).wakeUps().send(List.of(new WakeUp("other", Set.of(), Instant.EPOCH)));
                wakeUps.send(List.of(HINT));

                assertThat(first(receiver)).isEqualTo(HINT);
            }
        }
    }

    @Test
    void behindAPoolerInTransactionModeNothingIsPushed() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create())) {
            WakeUps wakeUps = JdbcScheduleStore.of(new TransactionPooler(pool)).wakeUps();

            assertThat(wakeUps.receive()).isEmpty();
            assertThat(wakeUps.receive()).isEmpty();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            wakeUps.send(List.of(HINT));
            assertThat(wakeUps.sent()).containsExactly(new WakeUps.Sent("q", 1, HINT.dueAt()));
        }
    }

    @Test
    void aSmallPoolKeepsItsConnections() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = smallPool(databases.create())) {
            assertThat(JdbcScheduleStore.of(pool).wakeUps().receive()).isEmpty();
        }
    }

    private static HikariDataSource smallPool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    @Test
    void aReceiverWhoseSessionEndsFailsAndCanBeReplaced() throws SQLException {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create())) {
            FirstConnection remembering = new FirstConnection(pool);
            WakeUps wakeUps = JdbcScheduleStore.of(remembering).wakeUps();
            remembering.first = null;
            WakeUps.Receiver receiver = wakeUps.receive().orElseThrow();
            Connection listening = Objects.requireNonNull(remembering.first);
            listening.unwrap(Connection.class).close();

            assertThatThrownBy(() -> receiveFor(receiver, 50)).isInstanceOf(StoreException.class);
            receiver.close();
            try (WakeUps.Receiver again = wakeUps.receive().orElseThrow()) {
                wakeUps.send(List.of(HINT));
                assertThat(first(again)).isEqualTo(HINT);
            }
        }
    }

    private static void receiveFor(WakeUps.Receiver receiver, int turns) {
        for (int i = 0; i < turns; i++) {
            receiver.await(TURN);
        }
    }

    private static WakeUp first(WakeUps.Receiver receiver) {
        for (int i = 0; i < 200; i++) {
            List<WakeUp> hints = receiver.await(TURN);
            if (!hints.isEmpty()) {
                return hints.get(0);
            }
        }
        throw new AssertionError("no hint arrived");
    }
}
