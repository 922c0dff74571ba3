package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.fault.FaultyStore;
import dev.duetime.testkit.fault.StoreFaults;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimerKitTest {
    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Test
    void firesEachTimerAtItsExactTimeWhileTimeAdvances() {
        try (TimerKit kit = TimerKit.create()) {
            kit.scheduler().schedule(Timer.after("order-17", QUARTER).build());
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredInOrder("order-17");
            assertThat(kit.delivered().get(0)).wasReachedAt(TestClock.START.plus(QUARTER));
            assertThat(kit.now()).isEqualTo(TestClock.START.plus(Duration.ofHours(1)));
        }
    }

    @Test
    void startsAtTheGivenTime() {
        Instant start = Instant.parse("2001-02-03T04:05:06Z");
        try (TimerKit kit = TimerKit.builder().startTime(start).build()) {
            kit.scheduler().schedule(Timer.after("a", QUARTER).build());
            kit.advanceTo(start.plus(QUARTER));
            assertThat(kit).lastOf("a").wasReachedAt(start.plus(QUARTER));
        }
    }

    @Test
    void takesSettingsOfTheScheduler() {
        RecordingListener listener = new RecordingListener();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.listener(listener))
                .configure(scheduler -> scheduler.retention(Duration.ZERO))
                .build()) {
            kit.scheduler().schedule(Timer.after("a", QUARTER).build());
            kit.advance(QUARTER);
            assertThat(listener.delivered).containsExactly("a");
            assertThat(kit.scheduler().find(kit.delivered().get(0).key())).isEmpty();
        }
    }

    @Test
    void takesAPublisherAndAStore() {
        TestClock storeClock = new TestClock();
        InMemoryScheduleStore store = new InMemoryScheduleStore(storeClock);
        InMemoryPublisher publisher = new InMemoryPublisher();
        try (TimerKit kit = TimerKit.builder().store(store).publisher(publisher).build()) {
            kit.scheduler().schedule(Timer.after("a", QUARTER).build());
            assertThat(kit.store()).isSameAs(store);
            kit.advance(QUARTER);
            assertThat(publisher).hasDelivered("a");
        }
    }

    @Test
    void deliversNothingBeforeItIsStarted() {
        try (TimerKit kit = TimerKit.builder().notStarted().build()) {
            kit.scheduler().schedule(Timer.after("a", QUARTER).build());
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredNothing();
            kit.node(0).start();
            kit.runDue();
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plus(Duration.ofHours(1)));
        }
    }

    @Test
    void deliversNothingAfterItIsClosed() {
        TimerKit kit = TimerKit.create();
        kit.scheduler().schedule(Timer.after("a", QUARTER).build());
        kit.close();
        kit.close();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void repeatsItselfExactly() {
        assertThat(run(1)).isEqualTo(run(1)).isNotEqualTo(run(2));
    }

    /** Returns all deliveries with their ids, and the times of retries, which depend on random numbers. */
    private static List<String> run(long seed) {
        RecordingListener listener = new RecordingListener();
        try (TimerKit kit = TimerKit.builder()
                .seed(seed)
                .nodes(2)
                .configure(scheduler -> scheduler.listener(listener))
                .build()) {
            kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("3"));
            for (int i = 0; i < 10; i++) {
                kit.scheduler().schedule(Timer.after("" + i, QUARTER).build());
            }
            kit.advance(Duration.ofHours(1));
            return List.of(kit.delivered().stream().map(Envelope::id).toList().toString(), listener.retries.toString());
        }
    }

    @Test
    void aTransactionBelongsToItsStore() {
        try (TimerKit kit = TimerKit.create();
                InMemoryTransaction transaction = kit.begin()) {
            kit.scheduler().in(transaction).schedule(Timer.after("a", QUARTER).build());
            transaction.commit();
            assertThat(kit.scheduler().find(TimerKey.of("a")))
                    .hasValueSatisfying(timer -> assertThat(timer.state()).isEqualTo(TimerState.SCHEDULED));
        }
    }

    @Test
    void anotherKindOfStoreHasNoTransactionOfTheKit() {
        StoreFaults none = new StoreFaults("node", () -> {});
        FaultyStore store = new FaultyStore(new InMemoryScheduleStore(new TestClock()), none);
        try (TimerKit kit = TimerKit.builder().store(store).build()) {
            assertThatThrownBy(kit::begin)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must be an InMemoryScheduleStore");
        }
    }

    @Test
    void needsANode() {
        assertThatThrownBy(() -> TimerKit.builder().nodes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes must be at least 1 but was 0");
    }
}
