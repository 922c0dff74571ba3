package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a tenant whose calls last long holds up no other tenant while other calls may run. */
class SlowTenantTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EACH = Duration.ofMillis(20);
    private static final Duration SLOW_EACH = SECOND.multipliedBy(3);
    private static final String SLOW = "slow";

    private final OverlappingTime clock = new OverlappingTime();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(clock);
    private final Map<TimerKey, Duration> lateness = new HashMap<>();
    private final List<List<Envelope>> batches = new ArrayList<>();
    private Predicate<Envelope> isSlow = each -> each.key().tenantId().equals(SLOW);
    private Predicate<Envelope> isBad = each -> false;
    private boolean failsAtOnce;
    private int running;
    private int mostRunning;
    private @Nullable Scheduler scheduler;

    private void start(int concurrency) {
        Scheduler started = Scheduler.builder()
                .store(store)
                .clock(clock)
                .batchSize(50)
                .shards(8)
                .concurrency(concurrency)
                .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)))
                .publisher(this::publish)
                .build();
        started.start();
        scheduler = started;
    }

    private Scheduler scheduler() {
        return Objects.requireNonNull(scheduler);
    }

    @AfterEach
    void close() {
        scheduler().close();
        clock.close();
    }

    private void publish(List<Envelope> batch) throws IOException {
        batches.add(batch);
        mostRunning = Math.max(mostRunning, ++running);
        try {
            for (Envelope each : batch) {
                boolean isRefused = failsAtOnce && isBad.test(each);
                clock.linger(isSlow.test(each) && !isRefused ? SLOW_EACH : EACH);
                if (isBad.test(each)) {
                    throw new IOException("refused");
                }
                lateness.putIfAbsent(each.key(), Duration.between(each.event().dueAt(), clock.now()));
            }
        } finally {
            running--;
        }
    }

    private List<TimerKey> schedule(String tenant, String type, int count, Duration every) {
        Instant now = clock.now();
        List<Timer> timers = IntStream.range(0, count)
                .mapToObj(i -> Timer.at(TimerKey.of(tenant, type + i), now.plus(every.multipliedBy(i)))
                        .type(type)
                        .build())
                .toList();
        scheduler().scheduleAll(timers);
        return timers.stream().map(Timer::key).toList();
    }

    private List<TimerKey> scheduleOthers(int seconds) {
        List<TimerKey> keys = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            keys.addAll(schedule("tenant" + i, "call", seconds, SECOND));
        }
        return keys;
    }

    private Duration percentile(List<TimerKey> keys, int percent) {
        List<Duration> sorted = keys.stream()
                .map(key -> lateness.getOrDefault(key, Duration.ofHours(1)))
                .sorted()
                .toList();
        return sorted.get((sorted.size() - 1) * percent / 100);
    }

    private long delivered(String tenant) {
        return lateness.keySet().stream()
                .filter(each -> each.tenantId().equals(tenant))
                .count();
    }

    private int attempts(TimerKey key) {
        return scheduler().find(key).orElseThrow().attempt();
    }

    private @Nullable OngoingOutage outage() {
        return scheduler().admin().health().queues().get(0).publisherOutage();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void aSlowTenantHoldsUpNoOther(int concurrency) {
        start(concurrency);
        schedule(SLOW, "call", 300, Duration.ofMillis(200));
        List<TimerKey> others = scheduleOthers(60);
        clock.advance(SECOND.multipliedBy(65));

        assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(300));
        assertThat(percentile(others, 100)).isLessThan(SECOND.multipliedBy(5));
        assertThat(delivered(SLOW)).isGreaterThan(2L * concurrency);
        assertThat(mostRunning).isEqualTo(concurrency);
    }

    @Test
    void aBacklogOfAnUnknownSlowTenantHoldsUpNoOther() {
        start(8);
        List<TimerKey> slow = schedule(SLOW, "call", 80, Duration.ZERO);
        List<TimerKey> others = scheduleOthers(60);
        clock.advance(SECOND.multipliedBy(65));

        assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(300));
        assertThat(delivered(SLOW)).as("of %s", slow.size()).isGreaterThan(75);
    }

    @Test
    void aSlowTypeHoldsUpNoOtherOfItsTenant() {
        start(8);
        isSlow = each -> each.type().equals("slow");
        schedule("one", "slow", 300, Duration.ofMillis(200));
        List<TimerKey> others = schedule("one", "quick", 600, Duration.ofMillis(100));
        clock.advance(SECOND.multipliedBy(65));

        assertThat(percentile(others, 99)).isLessThan(Duration.ofMillis(300));
    }

    @Test
    void aSlowTenantThatFailsIsNoOutageOfTheOthers() {
        start(8);
        isBad = isSlow;
        List<TimerKey> slow = schedule(SLOW, "call", 300, Duration.ofMillis(200));
        List<TimerKey> others = scheduleOthers(60);
        clock.advance(SECOND.multipliedBy(65));

        assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(300));
        assertThat(others).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertThat(slow.stream().filter(each -> attempts(each) > 0)).isNotEmpty();
        assertThat(outage()).isNull();
        isBad = each -> false;
        clock.advance(SECOND.multipliedBy(300));
        assertThat(lateness.keySet().containsAll(slow)).isTrue();
    }

    @Test
    void anOutageBesideASlowTenantSpendsNoAttempt() {
        start(8);
        List<TimerKey> slow = schedule(SLOW, "call", 300, Duration.ofMillis(200));
        List<TimerKey> others = scheduleOthers(60);
        clock.advance(SECOND.multipliedBy(20));
        isBad = each -> true;
        clock.advance(SECOND.multipliedBy(20));
        assertThat(outage()).isNotNull();
        isBad = each -> false;
        clock.advance(SECOND.multipliedBy(25));

        assertThat(percentile(others, 100)).isLessThan(SECOND.multipliedBy(25));
        assertThat(others).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertThat(slow).allSatisfy(each -> assertThat(attempts(each)).isLessThanOrEqualTo(1));
        assertThat(outage()).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slowCallsThatFailAloneAreAnOutageToo(boolean atOnce) {
        failsAtOnce = atOnce;
        start(8);
        schedule(SLOW, "first", 60, Duration.ofMillis(200));
        scheduleOthers(15);
        clock.advance(SECOND.multipliedBy(90));
        schedule("tenant0", "later", 1, SECOND);
        clock.advance(SECOND.multipliedBy(12));
        isBad = each -> true;
        List<TimerKey> slow = schedule(SLOW, "first", 70, Duration.ZERO).subList(60, 70);
        int before = batches.size();
        clock.advance(SECOND.multipliedBy(30));

        assertThat(outage()).isNotNull();
        assertThat(batches.size() - before).isLessThan(60);
        assertThat(slow).allSatisfy(each -> assertThat(attempts(each)).isZero());
        isBad = each -> false;
        clock.advance(SECOND.multipliedBy(20));
        assertThat(lateness.keySet().containsAll(slow)).isTrue();
        assertThat(outage()).isNull();
    }

    @Test
    void ifAllTenantsAreSlowAllCallsAreUsed() {
        start(8);
        isSlow = each -> true;
        scheduleOthers(30);
        clock.advance(SECOND.multipliedBy(60));

        // 8 calls of 3 s each; a timer of ten tenants in each second is more than that.
        assertThat(mostRunning).isEqualTo(8);
        assertThat(lateness.size()).isGreaterThan(8 * 15);
    }
}
