package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a tenant whose calls do not return leaves calls to the others, on threads and a real database. */
class SlowTenantOnDatabaseTest {
    private static final int CALLS = 4;
    private static final String SLOW = "slow";

    /** A call that has lasted so long shows that its tenant is slow. */
    private static final long LONG_NANOS = Duration.ofMillis(1_100).toNanos();

    private final BlockingQueue<TimerKey> delivered = new LinkedBlockingQueue<>();
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final CountDownLatch slowHasBegun = new CountDownLatch(1);
    private final AtomicInteger slowCalls = new AtomicInteger();

    private void publish(List<Envelope> batch) throws InterruptedException {
        if (batch.stream().anyMatch(each -> each.key().tenantId().equals(SLOW))) {
            slowCalls.incrementAndGet();
            slowHasBegun.countDown();
            slowMayEnd.await();
        }
        batch.forEach(each -> delivered.add(each.key()));
    }

    private static Timer timer(String tenant, int number) {
        return Timer.after(TimerKey.of(tenant, "t" + number), Duration.ZERO).build();
    }

    private Set<TimerKey> deliveries(int count) throws InterruptedException {
        Set<TimerKey> keys = new HashSet<>();
        for (int i = 0; i < count; i++) {
            TimerKey key = delivered.poll(20, TimeUnit.SECONDS);
            assertThat(key).as("delivery %d of %d", i + 1, count).isNotNull();
            keys.add(key);
        }
        return keys;
    }

    @Test
    void theOthersAreDeliveredWhileASlowTenantHasManyTimersDue() throws InterruptedException {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .concurrency(CALLS)
                        .batchSize(1)
                        .publisher(this::publish)
                        .build()) {
            scheduler.start();
            scheduler.schedule(timer(SLOW, -1));
            slowHasBegun.await();
            long began = System.nanoTime();
            int others = 0;
            while (System.nanoTime() - began < LONG_NANOS) {
                scheduler.schedule(timer("other", others++));
                assertThat(deliveries(1)).allMatch(each -> each.tenantId().equals("other"));
            }
            scheduler.scheduleAll(
                    IntStream.range(0, 20).mapToObj(i -> timer(SLOW, i)).toList());
            int more = others + 20;
            for (int i = others; i < more; i++) {
                scheduler.schedule(timer("other", i));
                assertThat(deliveries(1)).allMatch(each -> each.tenantId().equals("other"));
            }
            assertThat(slowCalls.get()).isBetween(1, CALLS - 1);

            slowMayEnd.countDown();
            assertThat(deliveries(21))
                    .hasSize(21)
                    .allMatch(each -> each.tenantId().equals(SLOW));
        }
    }
}
