package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.NodeListener;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that leases are renewed on their own connection, which no user's work can take. */
class LeaseConnectionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant UNTIL = NOW.plusSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
        return new HikariDataSource(config);
    }

    /** A data source that remembers the connections that it gave out. */
    private static final class RememberingDataSource extends DataSourceDecorator {
        final Queue<Connection> given = new ConcurrentLinkedQueue<>();

        RememberingDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            given.add(connection);
            return connection;
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void leasesAreRenewedWhileUsersHoldAllOtherConnections(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create(), 3)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            store.leases().open("q", OptionalInt.of(2));
            store.leases().acquire("q", Set.of(0, 1), "node", NOW, UNTIL);

            try (Connection one = pool.getConnection();
                    Connection other = pool.getConnection()) {
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(3);
                assertThat(store.leases().renew("node", UNTIL.plusSeconds(1))).isEqualTo(2);
                assertThat(store.leases().view("q").leases()).hasSize(2);
                assertThat(store.leases().now()).isAfter(NOW);
                assertThat(one.isClosed() || other.isClosed()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aLostConnectionIsReplacedAtOnce(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create(), 4)) {
            RememberingDataSource remembering = new RememberingDataSource(pool);
            JdbcScheduleStore store = JdbcScheduleStore.of(remembering);
            store.leases().open("q", OptionalInt.of(2));
            remembering.given.clear();
            store.leases().acquire("q", Set.of(0), "node", NOW, UNTIL);
            remembering.given.remove().unwrap(Connection.class).close();

            assertThat(store.leases().renew("node", UNTIL.plusSeconds(1))).isEqualTo(1);
            assertThat(store.leases().view("q").leases().get(0).until()).isEqualTo(UNTIL.plusSeconds(1));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void aConnectionIsReservedWhileANodeDeliversAndNotAfterwards(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create(), 4)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            CountDownLatch owns = new CountDownLatch(1);
            Scheduler scheduler = Scheduler.builder()
                    .store(store)
                    .publisher(batch -> {})
                    .listener(new NodeListener() {
                        @Override
                        public void shardsAcquired(String queue, int count, int owned) {
                            owns.countDown();
                        }
                    })
                    .build();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            scheduler.start();
            await(owns);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isPositive();
            scheduler.close();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void aPoolOfTwoIsTooSmallForAReservedConnection() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = pool(databases.create(), 2)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            store.leases().open("q", OptionalInt.of(2));

            assertThat(store.leases().acquire("q", Set.of(0), "node", NOW, UNTIL))
                    .containsExactly(0);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /**
     * Two nodes, each with a pool of 10. The one that took the shards first has 16 workers that want a transaction. 6
     * of them hold one, and the user's program holds two connections; leases and hints have one each.
     */
    @Test
    void handlersThatHoldTransactionsLongerThanALeaseLoseNoShard() throws SQLException {
        AtomicInteger lost = new AtomicInteger();
        Queue<String> began = new ConcurrentLinkedQueue<>();
        CountDownLatch allBegan = new CountDownLatch(6);
        CountDownLatch leaseIsOver = new CountDownLatch(1);
        List<String> onTheOther = new ArrayList<>();
        try (FreshDatabases databases = Database.POSTGRESQL.open()) {
            String url = databases.create();
            try (HikariDataSource busy = pool(url, 10);
                    HikariDataSource idle = pool(url, 10)) {
                TodoQueue queue = queue((todo, run) -> {
                    run.transaction(JdbcTransaction.class).connection();
                    began.add(todo.id());
                    allBegan.countDown();
                    await(leaseIsOver);
                    return Outcome.complete();
                });
                TodoQueue others = queue((todo, run) -> {
                    synchronized (onTheOther) {
                        onTheOther.add(todo.id());
                    }
                    return Outcome.complete();
                });
                CountDownLatch owns = new CountDownLatch(1);
                NodeListener listener = new NodeListener() {
                    @Override
                    public void shardsAcquired(String name, int count, int owned) {
                        owns.countDown();
                    }

                    @Override
                    public void shardsLost(String name, int count, int owned) {
                        lost.addAndGet(count);
                    }
                };
                try (Scheduler one = node(busy, queue, listener);
                        Scheduler two = node(idle, others, new NodeListener() {})) {
                    queue.enqueueAll(IntStream.range(0, 100)
                            .mapToObj(i -> NewTodo.of("job", "p").id("todo-" + i))
                            .toList());
                    one.start();
                    await(owns);
                    await(allBegan);
                    Set<String> held = Set.copyOf(began);
                    two.start();
                    // The time of two leases, in which the other node would have taken the shards.
                    try (Connection first = busy.getConnection();
                            Connection second = busy.getConnection()) {
                        assertThat(busy.getHikariPoolMXBean().getActiveConnections())
                                .isEqualTo(10);
                        assertThat(awaitFor(new CountDownLatch(1), LEASE.multipliedBy(2)))
                                .isFalse();
                        assertThat(first.isClosed() || second.isClosed()).isFalse();
                    }
                    synchronized (onTheOther) {
                        assertThat(onTheOther).doesNotContainAnyElementsOf(held);
                    }
                    leaseIsOver.countDown();
                }
            }
        }
        assertThat(lost).hasValue(0);
    }

    private static Scheduler node(HikariDataSource pool, TodoQueue queue, NodeListener listener) {
        return Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .leaseDuration(LEASE)
                .todoQueue(queue)
                .listener(listener)
                .build();
    }

    private static TodoQueue queue(StepHandler<String> handler) {
        return TodoQueue.builder("work")
                .type("job", String.class, handler)
                .workers(16)
                .build();
    }

    private static void await(CountDownLatch latch) {
        assertThat(awaitFor(latch, Duration.ofMinutes(1))).isTrue();
    }

    private static boolean awaitFor(CountDownLatch latch, Duration duration) {
        try {
            return latch.await(duration.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
