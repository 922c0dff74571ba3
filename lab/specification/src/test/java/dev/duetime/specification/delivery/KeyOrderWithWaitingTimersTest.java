package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that timers of one parallel key keep their order while a type or tenant waits for a call or a permit. */
class KeyOrderWithWaitingTimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration QUICK = Duration.ofMillis(20);

    private final OverlappingTime clock = new OverlappingTime();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(clock);
    private final List<String> published = new ArrayList<>();
    private Duration slow = QUICK;

    @SuppressWarnings("NullAway") // each test begins with start()
    private Scheduler scheduler;

    private void start(int concurrency, Consumer<QueueBuilder> limits) {
        scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .batchSize(20)
                .shards(4)
                .concurrency(concurrency)
                .publisher(this::publish)
                .queue("default", limits)
                .build();
        scheduler.start();
        clock.advance(SECOND.multipliedBy(30));
    }

    @AfterEach
    void close() {
        scheduler.close();
        clock.close();
    }

    private void publish(List<Envelope> batch) {
        batch.forEach(each -> published.add(each.key().timerId()));
        batch.forEach(each -> clock.linger(each.event().type().equals("slow") ? slow : QUICK));
    }

    private void schedule(String tenant, String type, int count, boolean hasKey, Instant first, Duration every) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> {
                    Timer.Builder timer = Timer.at(TimerKey.of(tenant, type + i), first.plus(every.multipliedBy(i)))
                            .type(type);
                    return (hasKey ? timer.parallelKey("k" + i) : timer).build();
                })
                .toList());
    }

    private void assertOrdered(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(published).containsSubsequence("slow" + i, "quick" + i);
        }
    }

    @Test
    void aQuickTypeDoesNotOvertakeASlowOneThatWaitsForACall() {
        slow = SECOND.multipliedBy(3);
        start(4, queue -> {});
        Instant now = clock.now();
        Duration every = Duration.ofMillis(200);
        schedule("one", "other", 600, false, now, Duration.ofMillis(100));
        schedule("one", "slow", 100, true, now, every);
        // Each follows half a second after the slow timer of its key.
        schedule("one", "quick", 100, true, now.plusMillis(500), every);
        clock.advance(Duration.ofMinutes(10));

        assertThat(published).hasSize(800);
        assertOrdered(100);
    }

    @Test
    void aTypeWithoutALimitDoesNotOvertakeOneThatWaitsForAPermit() {
        start(1, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(2))));
        Instant now = clock.now();
        schedule("one", "slow", 60, true, now.minusSeconds(60), Duration.ofMillis(1));
        schedule("one", "quick", 60, true, now.minusSeconds(1), Duration.ofMillis(1));
        schedule("one", "other", 60, false, now.minusSeconds(1), Duration.ofMillis(1));
        clock.advance(SECOND.multipliedBy(5));
        assertThat(published).contains("other59");
        clock.advance(Duration.ofMinutes(2));

        assertThat(published).hasSize(180);
        assertOrdered(60);
    }

    @Test
    void aKeyWaitsForTheTimersOfEachTypeThatWaitsForAPermit() {
        start(
                1,
                queue -> queue.type(
                                "a",
                                type -> type.rateLimit(RateLimit.perSecond(4).burst(1)))
                        .type("b", type -> type.rateLimit(RateLimit.of(1, Duration.ofMinutes(1)))));
        Instant first = clock.now().minusSeconds(60);
        List<String> ids = List.of("a0", "b0", "a1", "b1", "c1", "a2", "b2");
        scheduler.scheduleAll(IntStream.range(0, ids.size())
                .mapToObj(i -> {
                    String id = ids.get(i);
                    Timer.Builder timer = Timer.at(TimerKey.of("one", id), first.plusSeconds(i))
                            .type(id.substring(0, 1));
                    return (List.of("a0", "b0", "b2").contains(id) ? timer : timer.parallelKey("k")).build();
                })
                .toList());
        clock.advance(SECOND.multipliedBy(10));
        assertThat(published).contains("a0", "b0", "a1").doesNotContain("b1", "c1", "a2");
        clock.advance(Duration.ofMinutes(3));

        assertThat(published).hasSize(7).containsSubsequence("a1", "b1", "c1", "a2");
    }

    @Test
    void slowTypesThatShareAKeyKeepItsOrderBehindALongBacklog() {
        start(
                1,
                queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(20)))
                        .type("late", type -> type.rateLimit(RateLimit.perSecond(7))));
        Instant now = clock.now();
        schedule("one", "slow", 300, true, now.minusSeconds(60), Duration.ofMillis(10));
        schedule("one", "late", 300, true, now.minusSeconds(59), Duration.ofMillis(10));
        schedule("one", "quick", 300, true, now.minusSeconds(58), Duration.ofMillis(10));
        clock.advance(Duration.ofMinutes(3));

        assertThat(published).hasSize(900);
        for (int i = 0; i < 300; i++) {
            assertThat(published).containsSubsequence("slow" + i, "late" + i, "quick" + i);
        }
    }

    @Test
    void aCancelledTimerHoldsBackNothing() {
        start(1, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.of(1, Duration.ofDays(1)))));
        Instant now = clock.now();
        schedule("one", "slow", 60, true, now.minusSeconds(60), Duration.ofMillis(1));
        schedule("one", "quick", 60, true, now.minusSeconds(1), Duration.ofMillis(1));
        clock.advance(SECOND.multipliedBy(5));
        scheduler.cancel(TimerKey.of("one", "slow59"));
        clock.advance(SECOND.multipliedBy(10));

        assertThat(published).containsExactly("slow0", "quick0", "quick59");
    }

    @Test
    void tenantsThatShareAKeyKeepItsOrder() {
        start(4, queue -> queue.tenantRateLimit(RateLimit.perSecond(2)));
        Instant now = clock.now();
        schedule("one", "slow", 60, true, now.minusSeconds(60), Duration.ofMillis(1));
        schedule("two", "quick", 60, true, now.minusSeconds(1), Duration.ofMillis(1));
        clock.advance(Duration.ofMinutes(2));

        assertThat(published).hasSize(120);
        assertOrdered(60);
    }
}
