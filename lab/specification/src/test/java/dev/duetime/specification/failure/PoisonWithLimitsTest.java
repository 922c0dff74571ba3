package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a tenant bears the cost of its poison, also where a limit leaves few permits. A call takes 20 ms. */
class PoisonWithLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(20);

    private final Map<TimerKey, Duration> lateness = new LinkedHashMap<>();
    private @Nullable TimerKit kit;

    private enum Limit {
        ONE_AT_A_TIME(queue -> queue.concurrencyLimit(1)),
        EIGHT_AT_A_TIME(queue -> queue.concurrencyLimit(8)),
        RATE(queue -> queue.rateLimit(RateLimit.perSecond(100))),
        RATE_OF_TENANT(queue -> queue.tenantRateLimit(RateLimit.perSecond(20))),
        TYPE(queue -> queue.type("call", type -> type.concurrencyLimit(2)));

        @SuppressWarnings("ImmutableEnumChecker") // a setting without state
        private final Consumer<QueueBuilder> settings;

        Limit(Consumer<QueueBuilder> settings) {
            this.settings = settings;
        }
    }

    private static Stream<Arguments> limits() {
        return Stream.of(Limit.values())
                .flatMap(limit -> Stream.of(Arguments.of(limit, 1, 1), Arguments.of(limit, 8, 500)));
    }

    private TimerKit kit() {
        return Objects.requireNonNull(kit);
    }

    private void build(int concurrency, Consumer<QueueBuilder> settings) {
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .concurrency(concurrency)
                        .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)))
                        .publisher(this::refuse)
                        .queue("default", settings))
                .build();
    }

    /** Refuses a batch with a bad envelope, without naming it. */
    private void refuse(List<Envelope> batch) throws IOException {
        kit().clock().linger(CALL);
        for (Envelope each : batch) {
            if (each.key().timerId().startsWith("bad")) {
                throw new IOException("refused");
            }
        }
        batch.forEach(each ->
                lateness.putIfAbsent(each.key(), Duration.between(each.event().dueAt(), kit().now())));
    }

    private static Timer timer(String tenant, String id, Instant dueAt) {
        return Timer.at(TimerKey.of(tenant, id), dueAt).type("call").build();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void theOthersArePunctual(Limit limit, int concurrency, int poison) {
        build(concurrency, limit.settings);
        Instant start = kit().now();
        kit().scheduler()
                .scheduleAll(IntStream.range(0, poison)
                        .mapToObj(i -> timer("noisy", "bad-" + i, start.plusMillis(i % 1_000)))
                        .toList());
        kit().advance(SECOND.multipliedBy(5));
        Instant now = kit().now();
        List<Timer> others = IntStream.range(0, 300)
                .mapToObj(i -> timer("tenant-" + i % 10, "good-" + i, now.plusMillis(100L * i)))
                .toList();
        kit().scheduler().scheduleAll(others);
        kit().advance(SECOND.multipliedBy(35));

        assertThat(lateness).containsOnlyKeys(others.stream().map(Timer::key).toList());
        List<Duration> sorted = lateness.values().stream().sorted().toList();
        assertThat(sorted.get(150)).isLessThan(Duration.ofMillis(100));
        assertThat(sorted.get(270)).isLessThan(Duration.ofMillis(250));
        assertThat(sorted.get(297)).isLessThan(SECOND);
    }

    /** The permit that is kept for a retry must not go to nobody, because another timer of its key wanted it, too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void retriesWithParallelKeysDoNotStopTheQueue(boolean ofType) {
        build(8, ofType ? queue -> queue.type("call", type -> type.concurrencyLimit(1)) : Limit.ONE_AT_A_TIME.settings);
        Random random = new Random(1);
        Instant start = kit().now().plus(SECOND);
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            boolean isNoisy = i % 2 == 0;
            String id = (isNoisy && random.nextInt(10) == 0 ? "bad-" : "good-") + i;
            timers.add(Timer.at(TimerKey.of(isNoisy ? "noisy" : "other", id), start.plusMillis(2L * i))
                    .type(ofType && i % 3 == 0 ? "free" : "call")
                    .parallelKey("key-" + random.nextInt(12))
                    .build());
        }
        kit().scheduler().scheduleAll(timers);
        kit().advance(SECOND.multipliedBy(60));
        assertThat(lateness.keySet()).containsAll(goodOf("other", timers));

        // The publisher is known to be there as long as something gets through.
        for (int i = 0; i < 300; i++) {
            kit().scheduler().schedule(timer("other", "later-" + i, kit().now()));
            kit().advance(SECOND);
        }
        assertThat(lateness.keySet()).containsAll(goodOf("noisy", timers));
    }

    private static List<TimerKey> goodOf(String tenant, List<Timer> timers) {
        return timers.stream()
                .map(Timer::key)
                .filter(each -> each.tenantId().equals(tenant) && each.timerId().startsWith("good"))
                .toList();
    }

    @Test
    void tenantsTakeTurnsAtThePermits() {
        build(1, Limit.ONE_AT_A_TIME.settings);
        Instant now = kit().now().plus(SECOND);
        kit().scheduler()
                .scheduleAll(IntStream.range(0, 200)
                        .mapToObj(i -> timer("large", "good-" + i, now))
                        .toList());
        List<Timer> small = IntStream.range(0, 5)
                .mapToObj(i -> timer("small", "good-" + i, now.plusMillis(1)))
                .toList();
        kit().scheduler().scheduleAll(small);
        kit().advance(SECOND.multipliedBy(10));

        assertThat(lateness).hasSize(205);
        assertThat(small)
                .allSatisfy(each -> assertThat(lateness.get(each.key())).isLessThan(Duration.ofMillis(500)));
    }
}
