package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule that timers wait for a failing lane only while it fails. For 12 s a publisher fails at random; then it is
 * well.
 */
class HealedLanesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(5);
    private static final int SEEDS = 2;
    private static final Duration AT_MOST = SECOND.multipliedBy(20);
    private static final int TIMERS = 2_000;

    private final Set<TimerKey> delivered = new HashSet<>();
    private Random random = new Random(0);
    private boolean isHealed;

    private void publish(List<Envelope> batch, OverlappingTime clock, boolean throwsSome, boolean namesSome)
            throws IOException, PartialPublishException {
        clock.linger(CALL);
        Map<String, Throwable> failures = new HashMap<>();
        if (!isHealed && throwsSome && random.nextInt(4) == 0) {
            throw new IOException("refused");
        }
        if (!isHealed && namesSome && random.nextInt(3) == 0) {
            batch.stream()
                    .filter(each -> random.nextBoolean())
                    .forEach(each -> failures.put(each.id(), new IOException("refused")));
        }
        batch.stream().filter(each -> !failures.containsKey(each.id())).forEach(each -> delivered.add(each.key()));
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    private static Timer timer(int number, int keys, Instant dueAt) {
        Timer.Builder timer = Timer.at(TimerKey.of("tenant-" + number % 5, "timer-" + number), dueAt)
                .type("type-" + number % 3);
        return keys == 0
                ? timer.build()
                : timer.parallelKey("key-" + number % keys).build();
    }

    @ParameterizedTest
    @CsvSource({
        "1, false, true, 0",
        "8, false, true, 0",
        "1, true, true, 0",
        "8, true, true, 0",
        "1, false, true, 60",
        "8, true, true, 60"
    })
    void whatWasPutOffComesSoonAfterwards(int concurrency, boolean throwsSome, boolean namesSome, int keys) {
        for (int seed = 0; seed < SEEDS; seed++) {
            random = new Random(seed);
            delivered.clear();
            isHealed = false;
            run(seed, concurrency, throwsSome, namesSome, keys);
        }
    }

    private void run(int seed, int concurrency, boolean throwsSome, boolean namesSome, int keys) {
        OverlappingTime clock = new OverlappingTime();
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .batchSize(25)
                .concurrency(concurrency)
                .retry(RetryPolicy.exponential(Duration.ofMillis(200), SECOND))
                .publisher(batch -> publish(batch, clock, throwsSome, namesSome))
                .build()) {
            scheduler.start();
            Instant from = clock.now();
            scheduler.scheduleAll(IntStream.range(0, TIMERS)
                    .mapToObj(number -> timer(number, keys, from.plusMillis(number)))
                    .toList());
            clock.advance(SECOND.multipliedBy(12));
            isHealed = true;
            clock.advance(AT_MOST);

            assertThat(delivered).as("seed " + seed).hasSize(TIMERS);
        } finally {
            clock.close();
        }
    }
}
