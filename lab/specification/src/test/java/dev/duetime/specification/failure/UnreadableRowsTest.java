package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.DueTimers.Undecodable;
import dev.duetime.store.LockedException;
import dev.duetime.store.NextDue;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.RefusedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.Damage;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rule that unreadable rows are never delivered and never deleted, delay no timer, and cost next to nothing. */
class UnreadableRowsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    /** Two reads and two other calls in each polling interval, and as many for each of 60 timers. */
    private static final int CALLS_AN_HOUR = 4 * (720 + 60) + 100;

    private final InMemoryScheduleStore memory = new InMemoryScheduleStore(new StoppedClock());

    @Test
    void aRowThatCannotBeReadEndsAsDead() {
        try (TimerKit kit = kit(memory)) {
            kit.scheduler()
                    .schedule(Timer.after("broken", Duration.ofMinutes(1)).build());
            memory.damage(TimerKey.of("broken"), Damage.UNREADABLE_CONTENT);

            kit.advance(HOUR);

            assertThat(kit).hasNotDelivered("broken");
            StoredTimer dead = memory.find(TimerKey.of("broken")).orElseThrow();
            assertThat(dead.state()).isEqualTo(TimerState.DEAD);
            assertThat(Objects.requireNonNull(dead.failure()).error()).startsWith("cannot be read: ");
        }
    }

    /** Each write takes 10 ms, as on a slow disk. */
    @Test
    void aBacklogOfThemDelaysNoTimer() {
        List<TimerKit> kits = new ArrayList<>();
        ScheduleStore slow = new PassThroughStore(memory) {
            @Override
            public int settle(List<Settlement> settlements) {
                kits.get(0).clock().linger(Duration.ofMillis(10));
                return super.settle(settlements);
            }
        };
        try (TimerKit kit = TimerKit.builder().store(slow).build()) {
            kits.add(kit);
            for (int i = 0; i < 3_000; i++) {
                TimerKey key = TimerKey.of("broken-" + i);
                kit.scheduler()
                        .schedule(Timer.at(key, kit.now().plusMillis(500)).build());
                memory.damage(key, Damage.UNREADABLE_CONTENT);
            }
            kit.scheduler().schedule(Timer.after("sound", Duration.ofSeconds(1)).build());
            kit.advance(Duration.ofMinutes(2));

            assertThat(kit.delivered("sound").get(0).event().lateness()).isLessThan(Duration.ofSeconds(2));
            assertThat(memory.find(TimerKey.of("broken-2999")).orElseThrow().state())
                    .isEqualTo(TimerState.DEAD);
        }
    }

    @Test
    void rowsThatTheStoreCannotEndDelayNoTimer() {
        nobodyIsDelayedBy(store(dead -> 0));
    }

    @Test
    void rowsThatCannotBeEndedDelayNoTimer() {
        nobodyIsDelayedBy(store(dead -> {
            throw new RefusedException("settle", dead.key(), new IllegalStateException("refused"));
        }));
    }

    @Test
    void rowsWithoutAKeyDelayNoTimer() {
        nobodyIsDelayedBy(new Counting(memory, dead -> 0) {
            @Override
            public DueTimers due(DueQuery query) {
                DueTimers due = super.due(query);
                List<Undecodable> nameless = due.undecodable().stream()
                        .map(row -> new Undecodable(null, row.generation(), row.attempt(), "key is '\\u000a'"))
                        .toList();
                return new DueTimers(due.timers(), nameless, due.more());
            }
        });
    }

    @Test
    void aLateCommittedTimerIsDeliveredDuringABacklog() {
        Counting store = store(dead -> 0);
        try (TimerKit kit = kit(store)) {
            broken(kit);
            kit.advance(HOUR);
            try (InMemoryTransaction transaction = memory.begin()) {
                kit.scheduler()
                        .in(transaction)
                        .schedule(Timer.at("late", kit.now().minusSeconds(60)).build());
                kit.advance(Duration.ofMillis(50));
                transaction.commit();
            }

            kit.advance(Duration.ofMillis(500));

            assertThat(kit).hasDeliveredOnce("late");
        }
    }

    /** Otherwise each row would wait for the store as long as the row before. */
    @Test
    void onlyOneRowIsTriedInEachTurnWhileTheStoreIsAway() {
        int[] settles = {0};
        ScheduleStore away = new PassThroughStore(memory) {
            @Override
            public OwnTransaction begin() {
                settles[0]++;
                throw new StoreException("begin", "all", new IOException("away"));
            }

            @Override
            public int settle(List<Settlement> settlements) {
                settles[0]++;
                throw new StoreException("settle", "all", new IOException("away"));
            }
        };
        try (TimerKit kit = kit(away)) {
            broken(kit);

            kit.advance(Duration.ofMillis(1));

            assertThat(settles[0]).isEqualTo(1);
        }
    }

    @Nested
    class RowsThatAnotherTransactionHolds {
        private static final Duration WAIT = Duration.ofMillis(250);
        private static final int ROWS = 300;

        private int left = Integer.MAX_VALUE;
        private final List<TimerKit> kits = new ArrayList<>();

        private final PassThroughStore held = new PassThroughStore(memory) {
            @Override
            public OwnTransaction begin() {
                kits.get(0).clock().linger(WAIT);
                throw new LockedException("settle", "k", new IllegalStateException("held"));
            }

            @Override
            public int settle(List<Settlement> settlements) {
                if (isHeld(settlements)) {
                    kits.get(0).clock().linger(WAIT);
                    throw new LockedException("settle", "k", new IllegalStateException("held"));
                }
                return super.settle(settlements);
            }
        };

        private boolean isHeld(List<Settlement> settlements) {
            return settlements.stream()
                    .map(each -> each.key().timerId())
                    .filter(id -> id.startsWith("broken-"))
                    .anyMatch(id -> Integer.parseInt(id.substring("broken-".length())) < left);
        }

        private TimerKit kit() {
            TimerKit kit = UnreadableRowsTest.kit(held);
            kits.add(kit);
            for (int i = 0; i < ROWS; i++) {
                TimerKey key = TimerKey.of("broken-" + i);
                kit.scheduler()
                        .schedule(Timer.at(key, kit.now().plusMillis(i + 1)).build());
                memory.damage(key, Damage.UNREADABLE_CONTENT);
            }
            return kit;
        }

        private long dead() {
            return IntStream.range(0, ROWS)
                    .filter(i -> memory.find(TimerKey.of("broken-" + i))
                                    .orElseThrow()
                                    .state()
                            == TimerState.DEAD)
                    .count();
        }

        @Test
        void delayATimerByOneWaitAtMost() {
            try (TimerKit kit = kit()) {
                for (int i = 1; i <= 120; i++) {
                    kit.scheduler()
                            .schedule(Timer.after("sound-" + i, Duration.ofMillis(1_003L * i))
                                    .build());
                }

                kit.advance(Duration.ofMinutes(3));

                assertThat(kit).hasDeliveredCount(120);
                assertThat(kit.delivered())
                        .allSatisfy(each -> assertThat(each.event().lateness()).isLessThanOrEqualTo(WAIT));
            }
        }

        @Test
        void endWhenThatTransactionEnds() {
            try (TimerKit kit = kit()) {
                kit.advance(Duration.ofMinutes(3));
                assertThat(dead()).isZero();

                left = 0;
                kit.advance(Duration.ofMinutes(2));

                assertThat(dead()).isEqualTo(ROWS);
            }
        }

        @Test
        void keepNoOtherRow() {
            left = 3;
            try (TimerKit kit = kit()) {
                kit.advance(Duration.ofMinutes(1));

                assertThat(dead()).isEqualTo(ROWS - 3);
            }
        }
    }

    private void nobodyIsDelayedBy(Counting store) {
        try (TimerKit kit = kit(store)) {
            broken(kit);
            for (int i = 0; i < 60; i++) {
                kit.scheduler()
                        .schedule(Timer.after("sound-" + i, Duration.ofMillis(60_017L * i))
                                .build());
            }

            kit.advance(HOUR);

            assertThat(kit).hasDeliveredCount(60);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each.event().lateness()).isEqualTo(Duration.ZERO));
            assertThat(store.calls).isLessThan(CALLS_AN_HOUR);
            assertThat(store.refused).isLessThanOrEqualTo(30 * 61);
            IntStream.range(0, 30)
                    .forEach(i -> assertThat(memory.find(TimerKey.of("broken-" + i))
                                    .orElseThrow()
                                    .state())
                            .isEqualTo(TimerState.SCHEDULED));
        }
    }

    /** Schedules three batches of timers that will be unreadable. They are due before all other timers. */
    private void broken(TimerKit kit) {
        for (int i = 0; i < 30; i++) {
            TimerKey key = TimerKey.of("broken-" + i);
            kit.scheduler().schedule(Timer.at(key, Instant.EPOCH.plusSeconds(i)).build());
            memory.damage(key, Damage.UNREADABLE_CONTENT);
        }
    }

    private static TimerKit kit(ScheduleStore store) {
        return TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.batchSize(10))
                .build();
    }

    private Counting store(ToIntFunction<Settlement> refusing) {
        return new Counting(memory, refusing);
    }

    /** A store that counts the calls of the poll, and refuses to end timers as dead. */
    private static class Counting extends PassThroughStore {
        private final ToIntFunction<Settlement> refusing;
        int calls;
        int refused;

        Counting(ScheduleStore intact, ToIntFunction<Settlement> refusing) {
            super(intact);
            this.refusing = refusing;
        }

        @Override
        public DueTimers due(DueQuery query) {
            calls++;
            return super.due(query);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            calls++;
            return super.nextDue(queue, shards, after);
        }

        @Override
        public OwnTransaction begin() {
            throw new RefusedException("settle", "some", new IllegalStateException("refused"));
        }

        @Override
        public int settle(List<Settlement> settlements) {
            int settled = 0;
            for (Settlement each : settlements) {
                if (each instanceof Settlement.Ended ended && ended.state() == TimerState.DEAD) {
                    refused++;
                    settled += refusing.applyAsInt(each);
                } else {
                    settled += super.settle(List.of(each));
                }
            }
            return settled;
        }
    }
}
