package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that tenants take turns while several calls run: nobody starves. Each call takes 100 ms. */
class ConcurrentTurnsTest {
    private static final int BATCH = 10;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration A_BATCH = Duration.ofMillis(100);

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<TimerKey, Duration> lateness = new HashMap<>();

    private void publish(List<Envelope> batch) {
        clock.linger(A_BATCH);
        batch.forEach(
                each -> lateness.put(each.key(), Duration.between(each.event().dueAt(), clock.now())));
    }

    private void backlog(Scheduler scheduler, String tenant, int count) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> timer(tenant, i, SECOND.plusNanos(1_000_000_000L * i / count)))
                .toList());
    }

    private Timer timer(String tenant, int number, Duration delay) {
        return Timer.at(TimerKey.of(tenant, "t" + number), clock.now().plus(delay))
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachTenantsOldestTimerWaitsABoundedNumberOfBatches(int seed) {
        Random random = new Random(seed);
        try (clock;
                Scheduler scheduler = Scheduler.builder()
                        .store(new InMemoryScheduleStore(clock))
                        .clock(clock)
                        .batchSize(BATCH)
                        .shards(4)
                        .concurrency(2 + seed % 2)
                        .publisher(this::publish)
                        .build()) {
            scheduler.start();
            int large = 1 + random.nextInt(3);
            for (int i = 0; i < large; i++) {
                backlog(scheduler, "large" + i, 200 + random.nextInt(600));
            }
            int small = 1 + random.nextInt(5);
            for (int i = 0; i < 10 * small; i++) {
                Duration delay = SECOND.multipliedBy(3).plusMillis(random.nextInt(5_000));
                scheduler.schedule(timer("small" + i % small, i, delay));
            }
            clock.advance(Duration.ofMinutes(2));

            assertThat(lateness.entrySet().stream()
                            .filter(each -> each.getKey().tenantId().startsWith("small")))
                    .hasSize(10 * small)
                    .allSatisfy(each -> assertThat(each.getValue()).isLessThanOrEqualTo(A_BATCH.multipliedBy(4)));
        }
    }
}
