package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.passage.PassageOfTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of slow subscribers, on real threads: in virtual time nothing is slow. */
class SlowSubscriberTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch meanwhile = new CountDownLatch(2);
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void aSlowSubscriberOnItsOwnQueueDelaysNoOthers() throws InterruptedException {
        PassageOfTime time = PassageOfTime.builder()
                .every(SECOND, "quick", event -> {
                    if (entered.getCount() == 0) {
                        meanwhile.countDown();
                    }
                })
                .build();
        PassageOfTime slow = PassageOfTime.builder()
                .queue("slow-passage")
                .every(SECOND, "slow", event -> {
                    calls.incrementAndGet();
                    entered.countDown();
                    released.await();
                })
                .build();
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .extension(time)
                        .extension(slow)
                        .build()) {
            scheduler.start();

            assertThat(meanwhile.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(calls).hasValue(1);
            released.countDown();
        }
    }
}
