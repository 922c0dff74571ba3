package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The case that only poison is due, which looks like an outage, and then timers of others become due. However much
 * poison there is, the others are tried soon. A call takes 20 ms.
 */
class OnlyPoisonDueTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(20);
    private static final Duration OBSERVED = Duration.ofMinutes(3);

    private final Map<TimerKey, Duration> lateness = new HashMap<>();
    private int failedCalls;
    private @Nullable TimerKit kit;

    private TimerKit kit() {
        return Objects.requireNonNull(kit);
    }

    private void refuse(List<Envelope> batch) throws IOException {
        kit().clock().linger(CALL);
        if (batch.stream().anyMatch(each -> each.key().timerId().startsWith("bad"))) {
            failedCalls++;
            throw new IOException("refused");
        }
        batch.forEach(
                each -> lateness.put(each.key(), Duration.between(each.event().dueAt(), kit().now())));
    }

    @AfterEach
    void close() {
        kit().close();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 1_000, 3_000, 10_000})
    void otherTenantsArePunctual(int poison) {
        arePunctual(poison, i -> new Named("tenant-" + i % 10, "call"), SECOND);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 1_000, 3_000})
    void otherTypesOfTheSameTenantArePunctual(int poison) {
        arePunctual(poison, i -> new Named("noisy", "other"), SECOND);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 3_000})
    void aTenantWithATimerEachMinuteIsPunctual(int poison) {
        arePunctual(poison, i -> new Named("quiet", "call"), SECOND.multipliedBy(60));
    }

    @Tag("full")
    @Test
    void aTenantWithATimerEachMinuteIsPunctualBesideTenThousand() {
        aTenantWithATimerEachMinuteIsPunctual(10_000);
    }

    private record Named(String tenant, String type) {}

    private void arePunctual(int poison, IntFunction<Named> names, Duration every) {
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(this::refuse))
                .build();
        Instant now = kit().now();
        schedule(IntStream.range(0, poison)
                .mapToObj(i -> timer(new Named("noisy", "call"), "bad-" + i, now.plusMillis(i % 1_000)))
                .toList());
        kit().advance(SECOND.multipliedBy(10));
        Instant then = kit().now();
        List<Timer> others = IntStream.range(0, (int) OBSERVED.dividedBy(every))
                .mapToObj(i -> timer(names.apply(i), "good-" + i, then.plus(every.multipliedBy(i))))
                .toList();
        schedule(others);
        int before = failedCalls;
        kit().advance(OBSERVED.plus(every));

        assertThat(lateness).hasSameSizeAs(others);
        // An outage is probed once a second. A timer that falls due in between waits for the next probe.
        assertThat(lateness.values()).allMatch(late -> late.compareTo(Duration.ofMillis(1_200)) < 0);
        assertThat(percentile(99)).isLessThan(SECOND);
        assertThat(failedCalls - before).isLessThan((int) OBSERVED.dividedBy(CALL) / 8);
    }

    private void schedule(List<Timer> timers) {
        for (int from = 0; from < timers.size(); from += 1_000) {
            kit().scheduler().scheduleAll(timers.subList(from, Math.min(timers.size(), from + 1_000)));
        }
    }

    private static Timer timer(Named named, String id, Instant dueAt) {
        return Timer.at(TimerKey.of(named.tenant(), id), dueAt)
                .type(named.type())
                .build();
    }

    private Duration percentile(int percent) {
        List<Duration> sorted = new ArrayList<>(lateness.values());
        sorted.sort(null);
        return sorted.get((sorted.size() - 1) * percent / 100);
    }
}
