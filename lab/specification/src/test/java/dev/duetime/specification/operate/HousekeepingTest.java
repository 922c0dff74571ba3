package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.Occurrence;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.DueStore.PendingCount;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.StoreAdmin;
import dev.duetime.testkit.PassThroughAdmin;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of how long ended timers are kept. */
class HousekeepingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration A_TURN = Duration.ofMinutes(1);

    private final TimerKit kit = kit(HOUR);

    private static TimerKit kit(Duration retention) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .retention(retention)
                        .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(1)))
                .build();
    }

    private static boolean exists(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).isPresent();
    }

    @Test
    void aReachedTimerIsKeptForTheRetentionAndPurgedSoonAfter() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND.plus(HOUR));
        assertThat(exists(kit, "a")).isTrue();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isIgnored(TimerState.REACHED);
        kit.advance(A_TURN);
        assertThat(exists(kit, "a")).isFalse();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isCreated();
    }

    @Test
    void anExpiredAndACancelledTimerArePurgedToo() {
        kit.scheduler().schedule(Timer.after("cancelled", HOUR).build());
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        kit.scheduler()
                .schedule(Timer.at("expired", kit.now().minusSeconds(9))
                        .expiresAt(kit.now())
                        .build());
        kit.node(0).pause();
        kit.advance(Duration.ofNanos(1_000));
        kit.node(0).resume();
        kit.advance(HOUR);
        assertThat(exists(kit, "cancelled")).isTrue();
        assertThat(exists(kit, "expired")).isTrue();
        kit.advance(A_TURN);
        assertThat(exists(kit, "cancelled")).isFalse();
        assertThat(exists(kit, "expired")).isFalse();
    }

    @Test
    void aScheduledTimerIsNeverPurged() {
        kit.scheduler().schedule(Timer.after("a", Duration.ofDays(3)).build());
        kit.advance(Duration.ofDays(2));
        assertThat(exists(kit, "a")).isTrue();
    }

    @Test
    void aDeadTimerIsKeptForEver() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("bad"));
        kit.scheduler().schedule(Timer.after("bad", SECOND).build());
        kit.scheduler().schedule(Timer.after("good", SECOND).build());
        kit.advance(Duration.ofDays(1));
        assertThat(exists(kit, "good")).isFalse();
        assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aRetentionOfZeroDeletesWithTheDelivery() {
        TimerKit forgetful = kit(Duration.ZERO);
        forgetful.scheduler().schedule(Timer.after("a", SECOND).build());
        forgetful.advance(SECOND);
        assertThat(forgetful).hasDeliveredOnce("a");
        assertThat(exists(forgetful, "a")).isFalse();
    }

    @Test
    void aRetentionOfZeroStillKeepsDeadTimers() {
        TimerKit forgetful = kit(Duration.ZERO);
        forgetful
                .publisher()
                .failPartiallyOn(envelope -> envelope.key().timerId().equals("bad"));
        forgetful.scheduler().schedule(Timer.after("bad", SECOND).build());
        forgetful.scheduler().schedule(Timer.after("good", SECOND).build());
        forgetful.advance(HOUR);
        assertThat(forgetful.store().query(TimerQuery.all()))
                .singleElement()
                .satisfies(timer -> assertThat(timer.state()).isEqualTo(TimerState.DEAD));
    }

    @Test
    void moreTimersThanOneStatementDeletesArePurgedInOneTurn() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 2_500)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
        kit.advance(SECOND.plus(HOUR).plus(A_TURN));
        assertThat(kit.store().query(TimerQuery.all())).isEmpty();
    }

    @Test
    void eachQueueHasItsRetention() {
        TimerKit two = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .retention(HOUR)
                        .queue(
                                "long",
                                queue -> queue.retention(Duration.ofDays(2)).publisher(batch -> {})))
                .build();
        two.scheduler().schedule(Timer.after("short", SECOND).build());
        two.scheduler().schedule(Timer.after("long", SECOND).queue("long").build());
        two.advance(Duration.ofDays(1));
        assertThat(exists(two, "short")).isFalse();
        assertThat(exists(two, "long")).isTrue();
        two.advance(Duration.ofDays(1).plus(A_TURN).plus(SECOND));
        assertThat(exists(two, "long")).isFalse();
    }

    @Test
    void anEmptyQueueIsPurgedOnceAMinute() {
        kit.clock().everyTurn(true);
        kit.advance(A_TURN.multipliedBy(10));
        assertThat(kit.node(0).calls(StoreCall.PURGE)).isBetween(10, 11);
    }

    @Test
    void aFailureOfTheStoreIsSurvived() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(HOUR);
        kit.node(0).failBefore(StoreCall.PURGE);
        kit.advance(A_TURN.multipliedBy(3));
        assertThat(exists(kit, "a")).isFalse();
    }

    /** An error of the driver's classes, for example, or a bug. */
    @Test
    void aHistoryThatCannotBeWrittenStopsNoDeletion() {
        Broken store = new Broken(new InMemoryScheduleStore(kit.clock()));
        try (TimerKit broken = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.retention(A_TURN).occurrenceHistory(HOUR))
                .build()) {
            broken.scheduler().schedule(Timer.after("a", SECOND).build());
            broken.scheduler()
                    .schedule(Timer.recurring("often", Recurrence.every(A_TURN)).build());

            advanceThroughErrors(broken, A_TURN.multipliedBy(5));

            assertThat(exists(broken, "a")).isFalse();
            assertThat(store.calls).isBetween(10, 60);
            store.keepsHistory = true;
        }
    }

    @Test
    void aSampleThatFailsStopsNoDeletion() {
        Broken store = new Broken(new InMemoryScheduleStore(kit.clock()));
        try (TimerKit broken = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.retention(A_TURN).listener(new NodeListener() {
                    @Override
                    public void sampled(QueueSample sample) {
                        // A listener that wants samples makes the node take them.
                    }
                }))
                .build()) {
            broken.scheduler().schedule(Timer.after("a", SECOND).build());
            broken.advance(SECOND);
            store.samplesFail = true;

            advanceThroughErrors(broken, A_TURN.multipliedBy(5));

            assertThat(exists(broken, "a")).isFalse();
        }
    }

    /** An extension may work on many databases, of which only one is away. */
    @Test
    void aRoundThatFailsRepeatsNoUpkeep() {
        AtomicInteger maintained = new AtomicInteger();
        SchedulerExtension pattern = new SchedulerExtension() {
            @Override
            public String name() {
                return "pattern";
            }

            @Override
            public void configure(SchedulerBuilder builder) {
                // It changes nothing.
            }

            @Override
            public Instant maintain(Scheduler scheduler) {
                maintained.incrementAndGet();
                return Instant.MIN;
            }
        };
        Broken store = new Broken(new InMemoryScheduleStore(kit.clock()));
        try (TimerKit away = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.extension(pattern).listener(new NodeListener() {
                    @Override
                    public void sampled(QueueSample sample) {
                        // A listener that wants samples makes the node take them.
                    }
                }))
                .build()) {
            away.advance(SECOND);
            store.samplesAreAway = true;

            away.advance(A_TURN.multipliedBy(10));

            assertThat(maintained).hasValueBetween(10, 12);
        }
    }

    /** A real loop survives what a turn throws; the clock of a test throws it. */
    private static void advanceThroughErrors(TimerKit broken, Duration duration) {
        Instant end = broken.now().plus(duration);
        while (broken.now().isBefore(end)) {
            try {
                broken.advanceTo(end);
            } catch (NoClassDefFoundError | IllegalStateException e) {
                assertThat(e).hasMessageContaining("Absent");
            }
        }
    }

    private static final class Broken extends PassThroughStore {
        private boolean samplesFail;
        private boolean samplesAreAway;
        private boolean keepsHistory;
        private int calls;

        Broken(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
            if (samplesFail) {
                throw new IllegalStateException("Absent");
            }
            if (samplesAreAway) {
                throw new StoreException("count", "timers", new IOException("away"));
            }
            return super.pending(counts);
        }

        @Override
        public StoreAdmin admin() {
            return new PassThroughAdmin(intact.admin()) {
                @Override
                public void putOccurrences(List<Occurrence> occurrences) {
                    calls++;
                    if (!keepsHistory) {
                        throw new NoClassDefFoundError("org/driver/Absent");
                    }
                }
            };
        }
    }

    /** A deletion may fail every time, for example because a trigger refuses it. */
    @Test
    void aQueueWhoseDeletionFailsDelaysThatOfNoOther() {
        AtomicInteger batches = new AtomicInteger();
        InMemoryScheduleStore intact = new InMemoryScheduleStore(kit.clock());
        ScheduleStore store = new PassThroughStore(intact) {
            @Override
            public int purge(String queue, Instant before, int limit) {
                if (queue.equals("broken")) {
                    throw new StoreException("purge", queue, new IllegalStateException());
                }
                return batches.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? limit : 0;
            }
        };
        TimerKit broken = TimerKit.builder()
                .store(store)
                .configure(
                        scheduler -> scheduler.retention(HOUR).queue("broken", queue -> queue.publisher(batch -> {})))
                .build();
        broken.advance(A_TURN.multipliedBy(10));
        batches.set(50);

        broken.advance(A_TURN.multipliedBy(2));

        assertThat(batches).hasValue(0);
    }
}
