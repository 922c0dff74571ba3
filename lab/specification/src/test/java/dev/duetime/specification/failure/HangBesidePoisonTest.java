package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rule that only calls beside the loop search for poison while several calls may run. Two tenants of four have
 * timers that hang for four seconds, and others that fail without being named: a search that meets the former holds up
 * nobody but the timers that it holds.
 */
class HangBesidePoisonTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HANGS = SECOND.multipliedBy(4);
    private static final Duration QUICK = Duration.ofMillis(2);

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<TimerKey, Duration> lateness = new ConcurrentHashMap<>();
    private @Nullable Scheduler scheduler;

    @AfterEach
    void close() {
        if (scheduler != null) {
            scheduler.close();
        }
        clock.close();
    }

    private static boolean isOf(Envelope envelope, String kind) {
        return kind.equals(envelope.headers().get("kind"));
    }

    private void publish(List<Envelope> batch) throws IOException {
        clock.linger(batch.stream().anyMatch(each -> isOf(each, "hangs")) ? HANGS : QUICK);
        if (batch.stream().anyMatch(each -> isOf(each, "bad"))) {
            throw new IOException("refused");
        }
        batch.forEach(each ->
                lateness.putIfAbsent(each.key(), Duration.between(each.event().dueAt(), clock.now())));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theOthersAreServed(long seed) {
        Scheduler started = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .batchSize(10)
                .concurrency(4)
                .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)))
                .publisher(this::publish)
                .build();
        scheduler = started;
        started.start();
        Random random = new Random(seed);
        List<TimerKey> healthy = new ArrayList<>();
        List<TimerKey> sick = new ArrayList<>();
        for (int wave = 0; wave < 50; wave++) {
            started.scheduleAll(wave(random, wave, clock.now().plusMillis(100), healthy, sick));
            clock.advance(Duration.ofMillis(250));
        }
        clock.advance(SECOND.multipliedBy(20));

        assertThat(percentile(healthy, 90)).isLessThan(SECOND);
        assertThat(percentile(healthy, 100)).isLessThan(HANGS.multipliedBy(3));

        clock.advance(SECOND.multipliedBy(300));

        assertThat(sick).allMatch(lateness::containsKey);
    }

    private static List<Timer> wave(
            Random random, int wave, Instant from, List<TimerKey> healthy, List<TimerKey> sick) {
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            int tenant = random.nextInt(4);
            boolean hangs = tenant < 2 && random.nextInt(120) == 0;
            boolean fails = tenant < 2 && !hangs && random.nextInt(6) == 0;
            TimerKey key = TimerKey.of("tenant-" + tenant, wave + "-" + i);
            if (!fails) {
                (tenant < 2 ? sick : healthy).add(key);
            }
            // All are of one lane of their tenant: nothing but a call tells which of them hang or fail.
            timers.add(Timer.at(key, from.plusMillis(random.nextInt(250)))
                    .header("kind", hangs ? "hangs" : fails ? "bad" : "good")
                    .build());
        }
        return timers;
    }

    private Duration percentile(List<TimerKey> keys, int percent) {
        List<Duration> sorted = keys.stream()
                .map(each -> lateness.getOrDefault(each, Duration.ofHours(1)))
                .sorted()
                .toList();
        return sorted.get((sorted.size() - 1) * percent / 100);
    }
}
