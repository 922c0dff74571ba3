package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule that a backlog of one tenant holds up no other tenant, also if its timers have parallel keys: these wait for
 * the earlier ones of their keys alone.
 */
class KeyedTenantsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(20);
    private static final int BATCH = 10;

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<TimerKey, Duration> lateness = new HashMap<>();
    private final Map<String, Instant> lastOfKey = new HashMap<>();
    private final List<String> overtaken = new ArrayList<>();
    private final Set<String> running = new HashSet<>();
    private final Random random = new Random(7);

    private void publish(List<Envelope> batch) {
        Set<String> keys = new HashSet<>();
        for (Envelope each : batch) {
            String key = keyOf(each.key());
            Instant dueAt = each.event().dueAt();
            if (!key.isEmpty()) {
                keys.add(key);
                if (dueAt.isBefore(lastOfKey.getOrDefault(key, Instant.MIN))) {
                    overtaken.add(each.key().timerId());
                }
                lastOfKey.merge(key, dueAt, (one, other) -> one.isAfter(other) ? one : other);
            }
            lateness.put(each.key(), Duration.between(dueAt, clock.now()));
        }
        keys.forEach(
                each -> assertThat(running.add(each)).as("key in two calls").isTrue());
        clock.linger(CALL);
        running.removeAll(keys);
    }

    private static String keyOf(TimerKey timer) {
        return timer.timerId().replaceFirst("[^/]*/", "");
    }

    private static Timer timer(String tenant, int number, String key, Instant dueAt) {
        Timer.Builder timer = Timer.at(TimerKey.of(tenant, number + "/" + key), dueAt);
        return key.isEmpty() ? timer.build() : timer.parallelKey(key).build();
    }

    /** Some of the large tenant's timers have keys of their own or keys that small tenants use, too. */
    private Timer ofLarge(int number, Instant dueAt) {
        int kind = random.nextInt(10);
        String key = kind < 6 ? "" : kind < 9 ? "large-" + random.nextInt(20) : "shared-" + random.nextInt(5);
        return timer("large", number, key, dueAt);
    }

    @AfterEach
    void close() {
        clock.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "4, 10", "1, 300", "4, 300"})
    void smallTenantsWithKeysWaitForTheirKeysAlone(int concurrency, int keys) {
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .batchSize(BATCH)
                .shards(8)
                .concurrency(concurrency)
                .publisher(this::publish)
                .build()) {
            scheduler.start();
            Instant from = clock.now().plus(SECOND);
            int large = 5_000 * concurrency;
            scheduler.scheduleAll(IntStream.range(0, large)
                    .mapToObj(i -> ofLarge(i, from.plusNanos(3_000_000_000L * i / large)))
                    .toList());
            // One is due every 20 ms: during the backlog, and behind it.
            scheduler.scheduleAll(IntStream.range(0, 200)
                    .mapToObj(i -> timer(
                            "small-" + i % 10,
                            i,
                            i % 10 == 9 ? "shared-" + i % 3 : "own-" + i % keys,
                            from.plus(SECOND).plusMillis(20L * i)))
                    .toList());
            clock.advance(SECOND.multipliedBy(30));

            assertThat(overtaken).isEmpty();
            List<Duration> own = lateness.entrySet().stream()
                    .filter(each -> keyOf(each.getKey()).startsWith("own-"))
                    .map(Map.Entry::getValue)
                    .sorted()
                    .toList();
            assertThat(own).hasSize(180);
            assertThat(own.get(own.size() - 1)).isLessThan(SECOND);
        }
    }
}
