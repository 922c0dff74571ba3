package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of how a backlog is read: in large parts that continue from each other, without losing timers that are
 * committed behind the cursor.
 */
class BacklogTest {
    private static final int BATCH = 100;
    private static final Duration MILLI = Duration.ofMillis(1);

    private final List<Integer> batches = new ArrayList<>();
    private final List<Instant> times = new ArrayList<>();
    private final List<Integer> reads = new ArrayList<>();
    private Runnable onBatch = () -> {};
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .batchSize(BATCH)
                    .publisher(this::publish)
                    .listener(new NodeListener() {
                        @Override
                        public void polled(PolledBatch batch) {
                            reads.add(batch.timers());
                        }
                    }))
            .build();

    private void publish(List<Envelope> batch) throws Exception {
        batches.add(batch.size());
        times.add(kit.now());
        onBatch.run();
        kit.publisher().publish(batch);
    }

    /** Schedules timers that fall due one after the other, {@code t-0} first, and lets all of them wait. */
    private void fallBehind(int count) {
        kit.node(0).pause();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i ->
                                Timer.after("t-" + i, MILLI.multipliedBy(i + 1)).build())
                        .toList());
        kit.advance(Duration.ofHours(1));
        kit.node(0).resume();
    }

    private void takeTime(Duration duration) {
        onBatch = () -> kit.clock().linger(duration);
    }

    private List<String> deliveredIds() {
        return kit.delivered().stream().map(each -> each.key().timerId()).toList();
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "t-" + i).toList();
    }

    @Test
    void aBusyLoopDoesNotAskForTheNextDueTime() {
        takeTime(MILLI.multipliedBy(10));
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 200)
                        .mapToObj(
                                i -> Timer.after("t-" + i, Duration.ofSeconds(1).plus(MILLI.multipliedBy(i)))
                                        .build())
                        .toList());
        int asked = kit.node(0).calls(StoreCall.NEXT_DUE);
        int read = kit.node(0).calls(StoreCall.DUE);

        kit.advance(Duration.ofSeconds(2));

        assertThat(deliveredIds()).isEqualTo(ids(0, 200));
        assertThat(kit.node(0).calls(StoreCall.DUE) - read).isGreaterThan(10);
        assertThat(kit.node(0).calls(StoreCall.NEXT_DUE) - asked).isLessThan(5);
    }

    @Test
    void aQuickBacklogIsReadAndSettledEightBatchesAtOnce() {
        fallBehind(41 * BATCH);
        int reads = kit.node(0).calls(StoreCall.DUE);
        int settles = kit.node(0).calls(StoreCall.SETTLE);
        kit.runDue();
        assertThat(batches).hasSize(41).containsOnly(BATCH);
        assertThat(deliveredIds()).isEqualTo(ids(0, 41 * BATCH));
        assertThat(kit.node(0).calls(StoreCall.SETTLE) - settles).isEqualTo(6);
        assertThat(kit.node(0).calls(StoreCall.DUE) - reads).isLessThanOrEqualTo(7);
    }

    @Test
    void aSlowBatchIsSettledBeforeTheNextIsPublished() {
        fallBehind(10 * BATCH);
        List<Integer> settles = new ArrayList<>();
        onBatch = () -> {
            settles.add(kit.node(0).calls(StoreCall.SETTLE));
            kit.clock().linger(settles.size() == 1 ? Duration.ZERO : Duration.ofMillis(150));
        };
        kit.advance(Duration.ofSeconds(5));
        assertThat(deliveredIds()).isEqualTo(ids(0, 10 * BATCH));
        assertThat(settles).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void aReadAfterAnIncompleteLargeReadIsOneBatch() {
        fallBehind(20 * BATCH);
        onBatch = () -> kit.clock().linger(batches.size() == 1 ? Duration.ZERO : Duration.ofMillis(150));
        kit.advance(Duration.ofSeconds(10));
        assertThat(deliveredIds()).isEqualTo(ids(0, 20 * BATCH));
        assertThat(reads).startsWith(BATCH, 8 * BATCH, BATCH, 8 * BATCH, BATCH);
    }

    /** Lets each batch take 20 ms, and does something while the 20th is published. */
    private void duringTheTwentieth(Runnable action) {
        onBatch = () -> {
            kit.clock().linger(Duration.ofMillis(20));
            if (batches.size() == 20) {
                action.run();
            }
        };
    }

    /** Returns during which call of the publisher a timer was delivered, from 1. */
    private int batchOf(String timerId) {
        int before = deliveredIds().indexOf(timerId);
        int batch = 0;
        for (int delivered = 0; delivered <= before; batch++) {
            delivered += batches.get(batch);
        }
        return batch;
    }

    @Test
    void aTimerCommittedBehindABacklogComesWithinASecond() {
        fallBehind(150 * BATCH);
        try (InMemoryTransaction transaction = kit.begin()) {
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.at("late", TestClock.START).build());
            duringTheTwentieth(transaction::commit);
            kit.advance(Duration.ofSeconds(5));
        }
        assertThat(deliveredIds()).hasSize(150 * BATCH + 1).doesNotHaveDuplicates();
        assertThat(Duration.between(times.get(19), times.get(batchOf("late") - 1)))
                .isLessThanOrEqualTo(Duration.ofMillis(1_100));
    }

    @Test
    void aTimerScheduledHereBehindABacklogIsReadNext() {
        fallBehind(150 * BATCH);
        duringTheTwentieth(() ->
                kit.scheduler().schedule(Timer.at("behind", TestClock.START).build()));
        kit.advance(Duration.ofSeconds(5));
        assertThat(batchOf("behind")).isBetween(21, 28);
    }

    @Test
    void poisonInALargeReadIsFoundAndTheOthersDelivered() {
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("t-555"));
        fallBehind(20 * BATCH);
        kit.runDue();
        assertThat(kit).hasDeliveredCount(20 * BATCH - 1);
        assertThat(kit.scheduler().find(TimerKey.of("t-555")).orElseThrow().state())
                .isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aTimerThatExpiresDuringALargeReadIsNotDelivered() {
        kit.node(0).pause();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 10 * BATCH)
                        .mapToObj(i -> {
                            Timer.Builder timer = Timer.after("t-" + i, MILLI.multipliedBy(i + 1));
                            return i == 4 * BATCH
                                    ? timer.validFor(Duration.ofHours(1)).build()
                                    : timer.build();
                        })
                        .toList());
        kit.advanceTo(TestClock.START
                .plus(MILLI.multipliedBy(4 * BATCH + 1))
                .plus(Duration.ofHours(1))
                .minus(MILLI.multipliedBy(25)));
        kit.node(0).resume();
        takeTime(MILLI.multipliedBy(10));
        kit.advance(Duration.ofSeconds(1));
        assertThat(kit.scheduler()
                        .find(TimerKey.of("t-" + 4 * BATCH))
                        .orElseThrow()
                        .state())
                .isEqualTo(TimerState.EXPIRED);
        assertThat(kit).hasDeliveredCount(10 * BATCH - 1);
    }

    @Test
    void timersOfALargeReadAreInDeliveryUntilSettled() {
        fallBehind(20 * BATCH);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.runDue();
        assertThat(kit).hasDeliveredCount(BATCH);
        kit.node(0).restart();
        kit.advance(Duration.ofMinutes(1));
        assertThat(deliveredIds()).hasSize(21 * BATCH).containsAll(ids(0, 20 * BATCH));
    }
}
