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
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that only calls beside the loop search for poison while several calls may run. Two tenants of four have
 * timers that hang for four seconds, and others that fail without being named: a search that meets the former holds up
 * nobody but the timers that it holds.
 */
class HangBesidePoisonTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HANGS = SECOND.multipliedBy(4);
    private static final Duration QUICK = Duration.ofMillis(2);

    private static final Duration NEVER = Duration.ofHours(1);
    private static final int SEEDS = 4;

    private final Map<TimerKey, Duration> lateness = new ConcurrentHashMap<>();
    private @Nullable OverlappingTime clock;

    private static boolean isOf(Envelope envelope, String kind) {
        return kind.equals(envelope.headers().get("kind"));
    }

    private void publish(List<Envelope> batch) throws IOException {
        OverlappingTime time = Objects.requireNonNull(clock);
        time.linger(batch.stream().anyMatch(each -> isOf(each, "hangs")) ? HANGS : QUICK);
        if (batch.stream().anyMatch(each -> isOf(each, "bad"))) {
            throw new IOException("refused");
        }
        batch.forEach(each ->
                lateness.putIfAbsent(each.key(), Duration.between(each.event().dueAt(), time.now())));
    }

    @Test
    void theOthersAreServed() {
        List<Duration> ofHealthy = new ArrayList<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            ofHealthy.addAll(run(new Random(seed)));
        }

        assertThat(percentile(ofHealthy, 50)).isLessThan(QUICK.multipliedBy(10));
        assertThat(percentile(ofHealthy, 90)).isLessThan(SECOND.multipliedBy(2));
        assertThat(percentile(ofHealthy, 100)).isLessThan(HANGS.multipliedBy(3));
    }

    /** Returns how late those timers were whose tenants have no others that hang or fail. */
    private List<Duration> run(Random random) {
        OverlappingTime time = new OverlappingTime();
        clock = time;
        lateness.clear();
        try (Scheduler started = Scheduler.builder()
                .store(new InMemoryScheduleStore(time))
                .clock(time)
                .batchSize(10)
                .concurrency(4)
                .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)))
                .publisher(this::publish)
                .build()) {
            started.start();
            List<TimerKey> healthy = new ArrayList<>();
            List<TimerKey> sick = new ArrayList<>();
            for (int wave = 0; wave < 50; wave++) {
                started.scheduleAll(wave(random, wave, time.now().plusMillis(100), healthy, sick));
                time.advance(Duration.ofMillis(250));
            }
            time.advance(SECOND.multipliedBy(20));
            List<Duration> ofHealthy = healthy.stream()
                    .map(each -> lateness.getOrDefault(each, NEVER))
                    .toList();
            time.advance(SECOND.multipliedBy(300));

            assertThat(sick).allMatch(lateness::containsKey);
            return ofHealthy;
        } finally {
            time.close();
        }
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

    private static Duration percentile(List<Duration> durations, int percent) {
        return durations.stream().sorted().toList().get((durations.size() - 1) * percent / 100);
    }
}
