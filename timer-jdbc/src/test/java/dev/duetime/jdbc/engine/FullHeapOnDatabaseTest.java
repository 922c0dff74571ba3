package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.FullHeap;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real engine, while the connection that writes its outcomes throws one error again and again. */
class FullHeapOnDatabaseTest {
    private static final int TIMERS = 20;

    private final Map<TimerKey, Integer> deliveries = new ConcurrentHashMap<>();

    private void publish(List<Envelope> batch) {
        batch.forEach(each -> deliveries.merge(each.key(), 1, Integer::sum));
    }

    @ParameterizedTest
    @EnumSource
    void theQueueGoesOnAndDeliversNothingThreeTimes(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            FullHeap heap = new FullHeap(pool);
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(heap))
                    .publisher(this::publish)
                    .build()) {
                scheduler.scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(i -> Timer.after(TimerKey.of("t" + i), Duration.ZERO)
                                .payload(i)
                                .build())
                        .toList());
                heap.fillAt(text -> text.contains("duetime settle_"));
                scheduler.start();
                await(() -> heap.broken() != null);
                heap.free();

                await(() -> IntStream.range(0, TIMERS).allMatch(i -> isReached(scheduler, "t" + i)));
                scheduler.schedule(Timer.after(TimerKey.of("later"), Duration.ZERO)
                        .payload("p")
                        .build());
                await(() -> isReached(scheduler, "later"));

                assertThat(Objects.requireNonNull(heap.broken()).isClosed()).isTrue();
            }
            assertThat(deliveries).hasSize(TIMERS + 1);
            assertThat(deliveries.values()).allMatch(times -> times <= 2);
        }
    }

    private static boolean isReached(Scheduler scheduler, String id) {
        return scheduler
                .find(TimerKey.of(id))
                .filter(timer -> timer.state() == TimerState.REACHED)
                .isPresent();
    }

    private static void await(BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(60));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
