package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that expired timers are ended in batches, and wait neither for the publisher nor for the end of an outage.
 */
class ExpiryBacklogTest {
    private static final int MANY = 100_000;
    private static final int BATCH = 500;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<Integer> expiredAtPublish = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener).batchSize(BATCH))
            .build();

    /** Schedules timers that fall due one after the other, some of them with a deadline, and lets an hour pass. */
    private void missAll(int count, IntPredicate deadline) {
        kit.node(0).pause();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> {
                            Timer.Builder timer = Timer.after("t-" + i, Duration.ofMillis(i));
                            return deadline.test(i) ? timer.validFor(SECOND).build() : timer.build();
                        })
                        .toList());
        kit.advance(Duration.ofHours(1));
        kit.node(0).resume();
    }

    private long count(TimerState state) {
        return kit.scheduler()
                .query(TimerQuery.all().state(state).limit(10_000))
                .size();
    }

    @Test
    void anExpiredBacklogIsClearedWithFewStoreCallsAndNoPublish() {
        missAll(MANY, i -> true);
        int settles = kit.node(0).calls(StoreCall.SETTLE);
        int reads = kit.node(0).calls(StoreCall.DUE);
        kit.runDue();
        assertThat(listener.expired).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(kit.publisher().calls()).isZero();
        assertThat(kit.node(0).calls(StoreCall.SETTLE) - settles).isLessThanOrEqualTo(MANY / BATCH / 4 + 3);
        assertThat(kit.node(0).calls(StoreCall.DUE) - reads).isLessThanOrEqualTo(MANY / BATCH / 4 + 4);
    }

    @Test
    void aValidTimerBehindExpiredOnesIsDeliveredInTheSameInstant() {
        missAll(MANY, i -> i != MANY - 1);
        kit.runDue();
        assertThat(kit)
                .hasDeliveredOnce("t-" + (MANY - 1))
                .lastOf("t-" + (MANY - 1))
                .wasReachedAt(kit.now());
        assertThat(kit.publisher().calls()).isEqualTo(1);
    }

    @Test
    void expiredTimersAreSettledBeforeThePublisherIsCalled() {
        kit.publisher().onEach(envelope -> expiredAtPublish.add((int) count(TimerState.EXPIRED)));
        missAll(100, i -> i % 2 == 0);
        kit.runDue();
        assertThat(kit).hasDeliveredCount(50);
        assertThat(expiredAtPublish).containsOnly(50);
    }

    @Test
    void aMixedBacklogIsPublishedInBatchesAtLeastHalfFull() {
        missAll(10 * BATCH, i -> i % 10 != 0);
        kit.runDue();
        assertThat(kit).hasDeliveredCount(BATCH);
        assertThat(listener.expired).hasSize(9 * BATCH);
        assertThat(kit.publisher().calls()).isLessThanOrEqualTo(2);
        assertThat(kit.delivered()).extracting(Envelope::key).doesNotHaveDuplicates();
    }

    @Test
    void anOutageOfThePublisherDelaysNoExpiryOfEarlierTimers() {
        kit.publisher().failAlways();
        missAll(10 * BATCH, i -> i < 9 * BATCH);
        kit.runDue();
        assertThat(listener.expired).hasSize(9 * BATCH);
        kit.publisher().recover();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredCount(BATCH);
    }

    @Test
    void aPoisonEnvelopeInALargeReadIsNoOutage() {
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("t-2200"));
        missAll(8 * BATCH, i -> i < 2_100);
        kit.runDue();
        assertThat(listener.expired).hasSize(2_100);
        assertThat(kit).hasDeliveredCount(8 * BATCH - 2_100 - 1);
        assertThat(listener.failed).containsExactly("t-2200");
    }

    @Test
    void aStoreFailureWhileClearingCallsTheListenerOnce() {
        missAll(4 * BATCH, i -> i % 2 == 0);
        kit.node(0).failBefore(StoreCall.SETTLE);
        kit.runDue();
        kit.advance(SECOND);
        assertThat(listener.expired).hasSize(2 * BATCH).doesNotHaveDuplicates();
        assertThat(count(TimerState.EXPIRED)).isEqualTo(2 * BATCH);
        assertThat(kit).hasDeliveredCount(2 * BATCH);
        assertThat(kit.scheduler().query(TimerQuery.all().state(TimerState.SCHEDULED)))
                .isEmpty();
    }
}
