package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a backlog in which one batch is settled while the next one is read. */
class SettledBesideTest {
    private static final int BATCH = 10;
    private static final int BACKLOG = 500;
    private static final Duration MILLI = Duration.ofMillis(1);

    private final SlowStore store = new SlowStore();
    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.batchSize(BATCH).shards(4))
            .build();

    /** A store that reads and writes its table at once, and lets others run before it answers. */
    private final class SlowStore extends PassThroughStore {
        private boolean readsBesideWrites = true;
        private Duration reading = MILLI;
        private Duration settling = Duration.ZERO;
        private boolean isReading;
        private int settledBeside;
        private int failures;
        private Runnable whileReading = () -> {};
        private Runnable beforeSettling = () -> {};

        SlowStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public boolean readsBesideWrites() {
            return readsBesideWrites;
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers read = super.due(query);
            isReading = true;
            try {
                if (!reading.isZero()) {
                    kit.clock().linger(reading);
                }
                whileReading.run();
            } finally {
                isReading = false;
            }
            return read;
        }

        @Override
        public int settle(List<Settlement> settlements) {
            settledBeside += isReading ? 1 : 0;
            if (isReading && failures > 0) {
                failures--;
                throw new StoreException("settle", "a batch", new IOException("no connection"));
            }
            beforeSettling.run();
            if (isReading) {
                kit.clock().linger(settling);
            }
            return super.settle(settlements);
        }
    }

    private void fallBehind(Duration apart) {
        kit.node(0).pause();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, BACKLOG)
                        .mapToObj(i ->
                                Timer.after("t-" + i, apart.multipliedBy(i)).build())
                        .toList());
        kit.advance(Duration.ofHours(1));
        kit.node(0).resume();
    }

    private void deliver() {
        kit.advance(Duration.ofSeconds(20));
    }

    private static List<String> ids(List<Envelope> envelopes) {
        return envelopes.stream().map(each -> each.key().timerId()).toList();
    }

    private void assertEachWasDeliveredOnceInOrder() {
        assertThat(ids(kit.delivered()))
                .isEqualTo(IntStream.range(0, BACKLOG).mapToObj(i -> "t-" + i).toList());
        assertNothingIsOpen();
    }

    private void assertNothingIsOpen() {
        assertThat(kit.scheduler().admin().health().queues())
                .allSatisfy(queue -> assertThat(queue.inDelivery()).isZero());
    }

    @Test
    void eachTimerIsDeliveredOnceAlthoughReadsShowItAgain() {
        fallBehind(MILLI);
        deliver();

        assertEachWasDeliveredOnceInOrder();
        assertThat(store.settledBeside).isGreaterThan(3);
    }

    @Test
    void aStoreWithoutConcurrentReadsIsNotReadDuringASettle() {
        store.readsBesideWrites = false;
        fallBehind(MILLI);
        deliver();

        assertEachWasDeliveredOnceInOrder();
        assertThat(store.settledBeside).isZero();
    }

    @Test
    void timersOfOneDueTimeAreSettledBeforeTheNextRead() {
        fallBehind(Duration.ZERO);
        deliver();

        assertThat(ids(kit.delivered())).hasSize(BACKLOG).doesNotHaveDuplicates();
        assertThat(store.settledBeside).isZero();
    }

    @Test
    void openOutcomesAreSettledBeforeTheNextPublish() {
        store.failures = 2;
        fallBehind(MILLI);
        deliver();

        assertEachWasDeliveredOnceInOrder();
        assertThat(store.failures).isZero();
    }

    @Test
    void aFailedReadDoesNotAffectTheSettle() {
        fallBehind(MILLI);
        store.whileReading = () -> {
            if (kit.delivered().size() > 100) {
                store.whileReading = () -> {};
                throw new StoreException("due", "queue", new IOException("no connection"));
            }
        };
        deliver();

        assertEachWasDeliveredOnceInOrder();
    }

    @Test
    void aTimerCancelledAfterItsReadIsNotDelivered() {
        fallBehind(MILLI);
        List<CancelResult> answers = new ArrayList<>();
        store.whileReading = () -> {
            int next = kit.delivered().size();
            if (next > 100 && answers.isEmpty()) {
                answers.add(kit.scheduler().cancel(TimerKey.of("t-" + next)));
            }
        };
        deliver();

        assertThat(answers).containsExactly(CancelResult.CANCELLED);
        assertThat(ids(kit.delivered())).hasSize(BACKLOG - 1).doesNotHaveDuplicates();
        assertNothingIsOpen();
    }

    @Test
    void aTimerRescheduledDuringItsSettleIsDeliveredAgain() {
        fallBehind(MILLI);
        store.whileReading = () -> {
            int last = kit.delivered().size() - 1;
            if (last > 100) {
                store.whileReading = () -> {};
                kit.scheduler()
                        .schedule(Timer.at("t-" + last, kit.now())
                                .payload("anew")
                                .rearm()
                                .build());
            }
        };
        deliver();

        assertThat(ids(kit.delivered())).hasSize(BACKLOG + 1);
        assertThat(kit.delivered().stream().map(Envelope::id)).doesNotHaveDuplicates();
    }

    @Test
    void aTimerCommittedBehindAReadComesWithinASecond() {
        fallBehind(MILLI);
        kit.publisher().onEach(envelope -> kit.clock().linger(MILLI.multipliedBy(10)));
        Instant[] written = new Instant[1];
        store.whileReading = () -> {
            if (kit.delivered().size() > 100 && written[0] == null) {
                written[0] = kit.now();
                kit.scheduler().schedule(Timer.at("late", TestClock.START).build());
            }
        };
        deliver();

        assertThat(kit).hasDeliveredOnce("late");
        assertThat(Duration.between(
                        written[0], kit.delivered("late").get(0).event().reachedAt()))
                .isLessThan(Duration.ofMillis(2_200));
    }

    @Test
    void aQueueThatIsPausedLeavesNothingOpen() {
        fallBehind(MILLI);
        store.whileReading = () -> {
            if (kit.delivered().size() > 100) {
                store.whileReading = () -> {};
                kit.scheduler().admin().pause("default");
            }
        };
        deliver();

        assertThat(kit.delivered()).hasSizeBetween(101, BACKLOG - 1);
        assertThat(kit.delivered().stream().map(Envelope::key).map(this::state)).containsOnly(TimerState.REACHED);
        assertNothingIsOpen();

        kit.scheduler().admin().resume("default");
        deliver();
        assertEachWasDeliveredOnceInOrder();
    }

    private TimerState state(TimerKey key) {
        return kit.scheduler().find(key).orElseThrow().state();
    }

    @Test
    void aClosedSchedulerHasSettledItsDeliveries() {
        fallBehind(MILLI);
        store.whileReading = () -> {
            if (kit.delivered().size() > 100) {
                store.whileReading = () -> {};
                kit.node(0).close();
            }
        };
        deliver();
        assertThat(kit.delivered()).hasSizeLessThan(BACKLOG);

        kit.addNode();
        deliver();
        assertThat(ids(kit.delivered())).hasSize(BACKLOG).doesNotHaveDuplicates();
    }

    @Test
    void timersReadBeforeALongSettleAreReadAgain() {
        store.reading = Duration.ZERO;
        fallBehind(MILLI);
        List<CancelResult> answers = new ArrayList<>();
        store.beforeSettling = () -> {
            if (kit.delivered().size() > 100) {
                store.beforeSettling = () -> {};
                kit.clock().linger(Duration.ofSeconds(1));
                // Another node would do the same.
                TimerKey next = TimerKey.of("t-" + kit.delivered().size());
                answers.add(store.cancel(next, kit.now(), OptionalLong.empty()));
            }
        };
        deliver();

        assertThat(answers).containsExactly(CancelResult.CANCELLED);
        assertThat(ids(kit.delivered())).hasSize(BACKLOG - 1).doesNotHaveDuplicates();
    }

    @Test
    void aShardMovesAfterItsDeliveriesAreSettled() {
        store.settling = Duration.ofMillis(400);
        fallBehind(MILLI);
        kit.addNode();
        kit.advance(Duration.ofMinutes(2));

        assertThat(kit.delivered()).hasSize(BACKLOG);
        assertThat(ids(kit.delivered())).doesNotHaveDuplicates();
        assertThat(store.settledBeside).isGreaterThan(3);
    }
}
