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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that a tenant is found to be slow although its first calls hold many timers, of others too. */
class SlowFromStartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EACH = Duration.ofMillis(20);
    private static final String SLOW = "slow";
    private static final int OTHERS = 20;

    private final OverlappingTime clock = new OverlappingTime();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(clock);
    private final Map<TimerKey, Instant> delivered = new HashMap<>();
    private Function<List<Envelope>, Duration> durationOf = SlowFromStartTest::slowIfAnyIsSlow;
    private @Nullable Scheduler scheduler;

    private void start(int concurrency, int batchSize) {
        Scheduler started = Scheduler.builder()
                .store(store)
                .clock(clock)
                .batchSize(batchSize)
                .shards(8)
                .concurrency(concurrency)
                .publisher(this::publish)
                .build();
        started.start();
        scheduler = started;
    }

    @AfterEach
    void close() {
        Objects.requireNonNull(scheduler).close();
        clock.close();
    }

    private static Duration slowIfAnyIsSlow(List<Envelope> batch) {
        boolean isSlow = batch.stream().anyMatch(each -> each.key().tenantId().startsWith(SLOW));
        return isSlow ? SECOND.multipliedBy(2) : EACH;
    }

    private void publish(List<Envelope> batch) {
        clock.linger(durationOf.apply(batch));
        batch.forEach(each -> delivered.putIfAbsent(each.key(), clock.now()));
    }

    /** Schedules timers of a tenant, so many at each of these instants. Returns when they are due. */
    private Map<TimerKey, Instant> schedule(String tenant, int together, List<Instant> instants) {
        Map<TimerKey, Instant> dueAt = new HashMap<>();
        for (Instant each : instants) {
            for (int i = 0; i < together; i++) {
                dueAt.put(TimerKey.of(tenant, each + "-" + i), each);
            }
        }
        List<Timer> timers = dueAt.entrySet().stream()
                .map(each ->
                        Timer.at(each.getKey(), each.getValue()).type("call").build())
                .toList();
        Objects.requireNonNull(scheduler).scheduleAll(timers);
        return dueAt;
    }

    private Map<TimerKey, Instant> schedule(String tenant, int count) {
        return schedule(tenant, count, List.of(clock.now()));
    }

    private List<Instant> instants(Duration every, int seconds) {
        long count = Duration.ofSeconds(seconds).dividedBy(every);
        return LongStream.range(0, count)
                .mapToObj(i -> clock.now().plus(every.multipliedBy(i)))
                .toList();
    }

    /** Schedules timers of 20 other tenants, one after the other. Returns when they are due. */
    private Map<TimerKey, Instant> scheduleOthers(int perSecond, int seconds) {
        List<Instant> instants = instants(SECOND.dividedBy(perSecond), seconds);
        Map<TimerKey, Instant> dueAt = new HashMap<>();
        for (int i = 0; i < OTHERS; i++) {
            int tenant = i;
            List<Instant> own = IntStream.range(0, instants.size())
                    .filter(each -> each % OTHERS == tenant)
                    .mapToObj(instants::get)
                    .toList();
            dueAt.putAll(schedule("tenant" + i, 1, own));
        }
        return dueAt;
    }

    /** Returns the largest lateness of those that are due from then on. */
    private Duration worst(Map<TimerKey, Instant> dueAt, Instant from) {
        Instant never = clock.now().plus(Duration.ofHours(1));
        return dueAt.entrySet().stream()
                .filter(each -> !each.getValue().isBefore(from))
                .map(each -> Duration.between(each.getValue(), delivered.getOrDefault(each.getKey(), never)))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private long delivered(String tenant) {
        return delivered.keySet().stream()
                .filter(each -> each.tenantId().equals(tenant))
                .count();
    }

    /** Every call holds timers of all tenants, so that none is quick. */
    @ParameterizedTest
    @CsvSource({"2, 12", "4, 5"})
    void aBacklogThatIsSlowFromTheStartHoldsUpNoOther(int concurrency, int foundAfter) {
        start(concurrency, 50);
        schedule(SLOW, 20_000);
        Map<TimerKey, Instant> others = scheduleOthers(600, 20);
        Instant settled = clock.now().plus(SECOND.multipliedBy(foundAfter));
        clock.advance(SECOND.multipliedBy(25));

        assertThat(worst(others, settled)).isLessThan(SECOND);
        assertThat(delivered(SLOW)).isGreaterThan(50 * 20 / 4);
    }

    /** Its own calls must not become what is usual. */
    @Test
    void aSlowTenantThatWasAloneAtFirstHoldsUpNoOtherLater() {
        start(4, 50);
        schedule(SLOW, 20_000);
        clock.advance(SECOND.multipliedBy(60));
        Map<TimerKey, Instant> others = scheduleOthers(600, 20);
        Instant settled = clock.now().plus(SECOND.multipliedBy(8));
        clock.advance(SECOND.multipliedBy(25));

        assertThat(worst(others, settled)).isLessThan(SECOND);
    }

    /** Half as many slow tenants as others: most trials at first may be of slow ones. */
    @Test
    @Tag("full")
    void severalSlowTenantsHoldUpNoOther() {
        start(8, 50);
        IntStream.range(0, OTHERS / 2).forEach(i -> schedule(SLOW + i, 2_000));
        Map<TimerKey, Instant> others = scheduleOthers(600, 20);
        Instant settled = clock.now().plus(SECOND.multipliedBy(10));
        clock.advance(SECOND.multipliedBy(25));

        assertThat(worst(others, settled)).isLessThan(SECOND);
    }

    /** Trials have found that all are slow, and rest for a minute. */
    @Test
    @Tag("full")
    void severalSlowTenantsThatWereAloneAtFirstHoldUpNoOtherLater() {
        start(4, 50);
        List<Instant> before = List.of(clock.now().minusSeconds(10));
        IntStream.range(0, OTHERS / 2).forEach(i -> schedule(SLOW + i, 2_000, before));
        clock.advance(SECOND.multipliedBy(20));
        Map<TimerKey, Instant> others = scheduleOthers(100, 100);
        Instant settled = clock.now().plus(SECOND.multipliedBy(75));
        clock.advance(SECOND.multipliedBy(105));

        assertThat(worst(others, settled)).isLessThan(SECOND);
    }

    /** A bulk interface takes as long for many timers as for one. */
    @ParameterizedTest
    @CsvSource({"3, 2000, 500", "5, 1500, 200"})
    void fewSlowTenantsKeepTheirThroughputBesideAQuickOne(int tenants, int slow, int quick) {
        durationOf =
                batch -> batch.stream().anyMatch(each -> each.key().tenantId().startsWith(SLOW))
                        ? Duration.ofMillis(slow)
                        : Duration.ofMillis(quick);
        start(4, 100);
        int possible = 4 * 100 * 60_000 / slow;
        IntStream.range(0, tenants).forEach(i -> schedule(SLOW + i, possible / tenants));
        schedule("tenant", 1, instants(SECOND.multipliedBy(10), 60));
        clock.advance(SECOND.multipliedBy(60));

        assertThat(delivered.size() * 100L / possible).isGreaterThanOrEqualTo(60);
    }

    /**
     * The calls of the others hold a timer or two, and take as long for each as a slow call that holds many. The slow
     * tenant has had calls before, so that its timers are not begun one by one.
     *
     * @param pause for how many seconds it had no timers before it becomes slow
     * @param foundAfter how many seconds later it must have been found
     */
    @ParameterizedTest
    @CsvSource({"2, 100, 70, 5", "8, 400, 70, 5", "2, 100, 5, 60"})
    void slowCallsWithManyTimersHoldUpNoOther(int concurrency, int together, int pause, int foundAfter) {
        start(concurrency, 500);
        durationOf = batch -> EACH;
        schedule(SLOW, 1, instants(SECOND, 10));
        scheduleOthers(40, 10 + pause);
        clock.advance(SECOND.multipliedBy(10 + pause));
        durationOf = SlowFromStartTest::slowIfAnyIsSlow;
        schedule(SLOW, together, instants(SECOND, foundAfter + 10));
        Map<TimerKey, Instant> others = scheduleOthers(40, foundAfter + 10);
        Instant settled = clock.now().plus(SECOND.multipliedBy(foundAfter));
        clock.advance(SECOND.multipliedBy(foundAfter + 15));

        assertThat(worst(others, settled)).isLessThan(SECOND);
        assertThat(delivered(SLOW)).isGreaterThan(together * foundAfter / 2);
    }

    /**
     * Trials of single timers must not cost much if no tenant is slower than the others.
     *
     * @param call how many milliseconds a call takes
     * @param each how many more it takes for each timer
     * @param leastPercent how much of what the publisher could carry is delivered in a minute
     */
    @ParameterizedTest
    @CsvSource({"2, 1200, 0, 80", "2, 200, 10, 85"})
    void aPublisherThatIsEquallySlowForAllKeepsItsThroughput(int concurrency, int call, int each, int leastPercent) {
        assertThat(percentOfPossible(concurrency, call, each)).isGreaterThanOrEqualTo(leastPercent);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"4, 1200, 0, 90", "4, 0, 20, 95"})
    void withFourCallsItDoesSo(int concurrency, int call, int each, int leastPercent) {
        assertThat(percentOfPossible(concurrency, call, each)).isGreaterThanOrEqualTo(leastPercent);
    }

    private long percentOfPossible(int concurrency, int call, int each) {
        durationOf = batch -> Duration.ofMillis(call + (long) each * batch.size());
        start(concurrency, 100);
        long possible = concurrency * 100L * 60_000 / (call + each * 100L);
        for (int i = 0; i < 300; i++) {
            schedule("tenant" + i, (int) possible / 200);
        }
        clock.advance(SECOND.multipliedBy(60));
        return delivered.size() * 100L / possible;
    }
}
