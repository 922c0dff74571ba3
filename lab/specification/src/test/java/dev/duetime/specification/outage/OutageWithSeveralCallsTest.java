package dev.duetime.specification.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.QueueBuilder;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of an outage where several calls may run: threads beside the loop make all of them. */
class OutageWithSeveralCallsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(2);

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<TimerKey, Instant> delivered = new HashMap<>();
    private final List<Instant> calls = new ArrayList<>();
    private Instant awayFrom = Instant.MAX;
    private Instant awayUntil = Instant.MAX;
    private Duration firstCalls = CALL;
    private Duration awayCalls = CALL;

    /** Whether it goes away as soon as a search has got a single timer through. */
    private boolean goesAwayAfterSearch;

    private @Nullable Scheduler scheduler;

    private Scheduler start(int concurrency, int batchSize, Consumer<QueueBuilder> settings) {
        Scheduler started = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .batchSize(batchSize)
                .concurrency(concurrency)
                .retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)))
                .publisher(this::publish)
                .queue("default", settings)
                .build();
        scheduler = started;
        started.start();
        return started;
    }

    @AfterEach
    void close() {
        Objects.requireNonNull(scheduler).close();
        clock.close();
    }

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().startsWith("bad");
    }

    private boolean isAway() {
        return !clock.now().isBefore(awayFrom) && clock.now().isBefore(awayUntil);
    }

    private void publish(List<Envelope> batch) throws IOException {
        calls.add(clock.now());
        Duration lasts = batch.stream().anyMatch(each -> each.type().equals("hangs") && each.attempt() > 1)
                ? SECOND.multipliedBy(8)
                : batch.stream().anyMatch(OutageWithSeveralCallsTest::isBad) ? CALL.multipliedBy(10) : CALL;
        boolean isAway = isAway();
        clock.linger(calls.size() <= 4 ? firstCalls : isAway ? awayCalls : lasts);
        if (isAway || isAway() || batch.stream().anyMatch(OutageWithSeveralCallsTest::isBad)) {
            throw new IOException("refused");
        }
        batch.forEach(each -> delivered.putIfAbsent(each.key(), clock.now()));
        if (goesAwayAfterSearch && batch.size() == 1) {
            awayFrom = awayFrom.isBefore(clock.now()) ? awayFrom : clock.now();
        }
    }

    private static Timer timer(String tenant, String id, String type, Instant dueAt) {
        return Timer.at(TimerKey.of(tenant, id), dueAt).type(type).build();
    }

    private List<Timer> timers(String tenant, String type, int count, Instant from) {
        return IntStream.range(0, count)
                .mapToObj(i -> timer(tenant, type + i, type, from.plusMillis(i)))
                .toList();
    }

    private long countOf(String tenant, String type) {
        return delivered.keySet().stream()
                .filter(each -> each.tenantId().equals(tenant) && each.timerId().startsWith(type))
                .count();
    }

    /** Only poison is in the first batch of each read, and all timers are of one tenant and type. */
    @ParameterizedTest
    @ValueSource(ints = {10, 12, 20, 60})
    void whatIsBehindABatchOfPoisonIsTried(int poison) {
        Scheduler started = start(4, 10, queue -> {});
        List<Timer> all = new ArrayList<>();
        Instant from = clock.now().plusMillis(10);
        IntStream.range(0, poison)
                .forEach(i -> all.add(Timer.at(TimerKey.of("tenant", "bad" + i), from.plusMillis(i))
                        .type("call")
                        .build()));
        started.scheduleAll(all);
        started.scheduleAll(timers("tenant", "call", 20, from.plusSeconds(1)));
        clock.advance(SECOND.multipliedBy(120));

        assertThat(countOf("tenant", "call")).isEqualTo(20);
    }

    /** Three calls that hang hold permits; the fourth permit is not kept for another one of that kind. */
    @Test
    void aFreePermitServesTheOthersWhileRetriesHang() {
        Scheduler started = start(4, 10, queue -> queue.concurrencyLimit(4));
        Instant from = clock.now().plusMillis(10);
        for (int i = 0; i < 6; i++) {
            started.schedule(timer("sick-" + i, "bad" + i, "hangs", from.plusMillis(i)));
        }
        started.scheduleAll(timers("others", "call", 2_000, from));
        clock.advance(SECOND.multipliedBy(2));
        started.scheduleAll(timers("others", "later", 100, clock.now().plus(SECOND)));
        clock.advance(SECOND.multipliedBy(3));

        assertThat(countOf("others", "later")).isEqualTo(100);
    }

    /** After one of them got through, the others fail only because the publisher goes away. */
    @Test
    void anOutageWithinASearchOfASlowBatchSpendsFewAttempts() {
        Scheduler started = start(4, 50, queue -> {});
        firstCalls = Duration.ofMillis(1300);
        Instant from = clock.now().plusMillis(10);
        List<Timer> all = new ArrayList<>();
        IntStream.range(0, 50).forEach(i -> all.add(timer("tenant", "call" + i, "call", from)));
        all.set(25, timer("tenant", "bad", "bad", from));
        started.scheduleAll(all);
        goesAwayAfterSearch = true;
        clock.advance(SECOND.multipliedBy(10));
        awayUntil = clock.now();
        clock.advance(SECOND.multipliedBy(60));

        assertThat(countOf("tenant", "call")).isEqualTo(49);
        assertThat(started.query(TimerQuery.all().tenantId("tenant").limit(100)))
                .filteredOn(each -> each.attempt() > 1)
                .hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void aLoneTimerIsRetriedSoonInAnOutage() {
        Scheduler started = start(4, 50, queue -> queue.pollInterval(SECOND.multipliedBy(60)));
        awayFrom = Instant.MIN;
        started.schedule(timer("tenant", "call", "call", clock.now().plusMillis(10)));
        clock.advance(SECOND.multipliedBy(10));
        awayUntil = clock.now();
        clock.advance(SECOND.multipliedBy(2));

        assertThat(countOf("tenant", "call")).isEqualTo(1);
        assertThat(calls).hasSizeGreaterThan(10);
    }

    /** One call a second and those that search for another lane, however fast they fail. */
    @ParameterizedTest
    @ValueSource(ints = {5, 600, 2_000})
    void anOutageIsNotAskedWithoutRest(int due) {
        Scheduler started = start(4, 50, queue -> {});
        awayFrom = Instant.MIN;
        started.scheduleAll(timers("tenant", "call", due, clock.now().plusMillis(10)));
        clock.advance(SECOND.multipliedBy(10));
        int before = calls.size();
        clock.advance(SECOND.multipliedBy(30));

        assertThat(calls.size() - before).isBetween(20, 30 * 9);
        awayUntil = clock.now();
        clock.advance(SECOND.multipliedBy(5));
        assertThat(countOf("tenant", "call")).isEqualTo(due);
    }

    /** What hung until the publisher was back is nobody's poison: no tenant rests, and no attempt is spent. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 10", "4, 1", "4, 10", "16, 100"})
    void afterAnOutageWhoseCallsHangAllAreDeliveredSoon(int concurrency, int tenants) {
        Scheduler started = start(concurrency, 10, queue -> {});
        awayCalls = Duration.ofMillis(1500);
        Instant from = clock.now().plusMillis(10);
        awayFrom = from.plusMillis(500);
        awayUntil = from.plusMillis(7500);
        List<Timer> all = new ArrayList<>();
        IntStream.range(0, 600)
                .forEach(i ->
                        all.add(timer("tenant-" + i % tenants, "call" + i, "type" + i % 2, from.plusMillis(12L * i))));
        started.scheduleAll(all);
        clock.advance(Duration.ofMillis(7500).plus(awayCalls.multipliedBy(2)).plus(SECOND));

        assertThat(delivered).hasSize(600);
        assertThat(started.query(TimerQuery.all().limit(1_000))).allMatch(each -> each.attempt() == 1);
    }

    /** The timers of a lane that fails are tried apart. An outage fails them all, and that is not their fault. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void anOutageSpendsFewAttemptsThoughThereIsPoison(int concurrency) {
        Scheduler started = start(
                concurrency,
                50,
                queue -> queue.retry(
                        RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30)).maxAttempts(3)));
        Instant from = clock.now().plusMillis(10);
        awayFrom = from.plusSeconds(4);
        awayUntil = from.plusSeconds(8);
        List<Timer> all = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            String id = (i % 2 == 1 ? "bad" : "call") + i;
            all.add(timer("tenant", id, "call", from.plusMillis(250L * (i / 25)).plusMillis(i % 25)));
        }
        started.scheduleAll(all);
        clock.advance(SECOND.multipliedBy(9));
        List<StoredTimer> good = started.query(TimerQuery.all().limit(1_000)).stream()
                .filter(each -> each.key().timerId().startsWith("call"))
                .toList();

        assertThat(good).allMatch(each -> each.state() != TimerState.DEAD);
        assertThat(good)
                .filteredOn(each -> each.failure() != null || each.attempt() > 1)
                .hasSizeLessThan(10);
    }
}
