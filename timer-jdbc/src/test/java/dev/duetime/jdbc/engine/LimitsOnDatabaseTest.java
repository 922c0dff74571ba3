package dev.duetime.jdbc.engine;

import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that nodes on one database use a concurrency limit to the full, and never exceed it. */
class LimitsOnDatabaseTest {
    private static final int NODES = 3;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Mutable state, guarded by lock.
    private int running;
    private int mostRunning;
    private int mayEnd;
    private final Set<Integer> nodes = new HashSet<>();
    private final List<String> delivered = new ArrayList<>();

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private void start(String url, int limit) throws InterruptedException {
        CountDownLatch own = new CountDownLatch(NODES);
        for (int i = 0; i < NODES; i++) {
            int node = i;
            Set<Integer> first = new HashSet<>();
            HikariDataSource pool = pool(url);
            open.add(pool);
            Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(pool))
                    .shards(24)
                    .concurrency(20)
                    .batchSize(1)
                    .leaseDuration(Duration.ofSeconds(5))
                    .publisher(batch -> publish(node, batch))
                    .queue("default", queue -> queue.concurrencyLimit(limit))
                    .listener(new NodeListener() {
                        @Override
                        public void shardsAcquired(String queue, int count, int owned) {
                            if (first.add(0)) {
                                own.countDown();
                            }
                        }
                    })
                    .build();
            open.add(scheduler);
            scheduler.start();
        }
        assertThat(own.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Holds the call until the test lets it end. */
    private void publish(int node, List<Envelope> batch) throws InterruptedException {
        lock.lock();
        try {
            nodes.add(node);
            running += batch.size();
            mostRunning = Math.max(mostRunning, running);
            changed.signalAll();
            while (mayEnd == 0) {
                changed.await();
            }
            mayEnd--;
            batch.forEach(each -> delivered.add(each.key().timerId()));
            running -= batch.size();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void letEnd(int count) {
        lock.lock();
        try {
            mayEnd += count;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many timers run while nothing ends, and so many have ended. */
    private void await(int count, int ended) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(60);
            while (left > 0 && (running != count || delivered.size() != ended)) {
                left = changed.awaitNanos(left);
            }
            assertThat(delivered).hasSize(ended);
            assertThat(running).isEqualTo(count);
        } finally {
            lock.unlock();
        }
    }

    private void schedule(Scheduler scheduler, int count) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i ->
                        Timer.at("t" + i, Instant.EPOCH).shardingKey("k" + i).build())
                .toList());
    }

    /** At the end, a node whose timers had waited kept units that it could no longer use. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void threeNodesRunAsManyAsTheLimitAllowsAndNoMore(Database kind) throws InterruptedException {
        int limit = 9;
        try (FreshDatabases databases = kind.open()) {
            start(databases.create(), limit);
            schedule((Scheduler) open.get(1), 10 * limit);

            for (int round = 0; round < 9; round++) {
                await(limit, round * limit);
                letEnd(limit);
            }
            await(limit, 9 * limit);
            letEnd(limit);
            await(0, 10 * limit);

            assertThat(mostRunning).isEqualTo(limit);
            assertThat(nodes).hasSize(NODES);
            assertThat(delivered).doesNotHaveDuplicates();
            closeAll();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void threeNodesShareALimitOfOne(Database kind) throws InterruptedException {
        try (FreshDatabases databases = kind.open()) {
            start(databases.create(), 1);
            schedule((Scheduler) open.get(3), 12);

            for (int round = 0; round < 12; round++) {
                await(1, round);
                letEnd(1);
            }
            await(0, 12);

            assertThat(mostRunning).isEqualTo(1);
            assertThat(delivered).doesNotHaveDuplicates();
            closeAll();
        }
    }

    /** Before the databases are dropped. */
    private void closeAll() {
        try {
            close();
            open.clear();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
