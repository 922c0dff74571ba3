package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a long backlog of timers that wait for permits holds up no other timer, although each read that leaves it
 * out passes over it.
 */
class PermitBacklogTest {
    private static final int BACKLOG = 2_000;
    /** A read that passes the whole backlog takes 100 ms here. */
    private static final Duration A_ROW = Duration.ofNanos(50_000);

    private static final Duration TIME = Duration.ofSeconds(10);

    @SuppressWarnings("NullAway") // each test begins with a queue
    private Scheduler scheduler;

    @SuppressWarnings("NullAway") // each test begins with a queue
    private PassedRows store;

    private final TestClock clock = new TestClock();
    private final List<Duration> lateness = new ArrayList<>();
    private int ofBacklog;

    private void queue(int concurrency, Duration call, Consumer<QueueBuilder> limits) {
        store = new PassedRows(clock, A_ROW);
        scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .shards(4)
                .batchSize(50)
                .concurrency(concurrency)
                .publisher(batch -> {
                    batch.forEach(each -> {
                        if (each.key().timerId().startsWith("other")) {
                            lateness.add(Duration.between(each.event().dueAt(), clock.now()));
                        } else {
                            ofBacklog++;
                        }
                    });
                    clock.linger(call);
                })
                .queue("default", limits)
                .build();
        scheduler.start();
        clock.advance(Duration.ofSeconds(1));
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private void backlog(UnaryOperator<Timer.Builder> timer) {
        Instant first = clock.now().minusSeconds(60);
        scheduler.scheduleAll(IntStream.range(0, BACKLOG)
                .mapToObj(i -> timer.apply(Timer.at(TimerKey.of("big", "b" + i), first.plusMillis(10L * i)))
                        .build())
                .toList());
    }

    /** Lets timers of others become due, every 50 ms. */
    private void others() {
        others(timer -> timer);
    }

    private void others(UnaryOperator<Timer.Builder> timer) {
        Instant first = clock.now().plusMillis(30);
        scheduler.scheduleAll(IntStream.range(0, 200)
                .mapToObj(i -> timer.apply(Timer.at(TimerKey.of("other", "other" + i), first.plusMillis(50L * i)))
                        .build())
                .toList());
        clock.advance(TIME);
    }

    /**
     * Checks how late others are.
     *
     * @param call how long a call takes: in virtual time the loop waits for it
     */
    private void assertPrompt(Duration call) {
        List<Duration> sorted = lateness.stream().sorted().toList();
        assertThat(sorted).hasSizeGreaterThan(190);
        assertThat(sorted.get(sorted.size() / 2))
                .isLessThan(call.multipliedBy(2).plusMillis(15));
        assertThat(sorted.get(sorted.size() * 95 / 100))
                .isLessThan(call.multipliedBy(2).plusMillis(130));
        assertThat(store.takePassed()).isLessThan(25L * BACKLOG);
    }

    @Test
    void aTypeWithARateHoldsUpNoOther() {
        queue(1, Duration.ZERO, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(50))));
        backlog(timer -> timer.type("slow"));
        others();

        assertPrompt(Duration.ZERO);
        assertThat(ofBacklog).isBetween(450, 560);
    }

    @Test
    void aTypeWithARateHoldsUpNoTimerOfAnotherParallelKey() {
        queue(1, Duration.ZERO, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(50))));
        store.eachRead(Duration.ofMillis(1));
        backlog(timer -> timer.type("slow"));
        store.takeReads();
        int[] next = {0};
        others(timer -> timer.parallelKey("k" + next[0]++));

        assertPrompt(Duration.ZERO);
        assertThat(ofBacklog).isBetween(450, 560);
        // The loop has time to rest: a read takes a millisecond.
        assertThat(store.takeReads()).isLessThan(TIME.toMillis() / 3);
    }

    @Test
    void aTypeWithAConcurrencyLimitHoldsUpNoOther() {
        queue(4, Duration.ofMillis(20), queue -> queue.type("slow", type -> type.concurrencyLimit(1)));
        backlog(timer -> timer.type("slow"));
        others();

        assertPrompt(Duration.ofMillis(20));
        assertThat(ofBacklog).isGreaterThan(100);
    }

    @Test
    void aTenantWithARateHoldsUpNoOther() {
        queue(1, Duration.ZERO, queue -> queue.tenantRateLimit(RateLimit.perSecond(50)));
        backlog(timer -> timer);
        others();

        assertPrompt(Duration.ZERO);
        assertThat(ofBacklog).isBetween(450, 560);
    }

    @Test
    void aParallelKeyHoldsUpNoOther() {
        queue(4, Duration.ofMillis(20), queue -> queue.parallelKeyLimit(2));
        backlog(timer -> timer.parallelKey("k"));
        others();

        assertPrompt(Duration.ofMillis(20));
        assertThat(ofBacklog).isGreaterThan(100);
    }
}
