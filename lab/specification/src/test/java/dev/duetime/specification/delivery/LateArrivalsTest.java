package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of a busy loop that does not read again what it has settled, and still finds what becomes visible there later.
 */
class LateArrivalsTest {
    private static final Duration APART = Duration.ofMillis(10);
    private static final Duration RECENT = Duration.ofMillis(500);
    private static final int SHARDS = 64;

    private final InMemoryScheduleStore table = new InMemoryScheduleStore(new TestClock());
    private final WatchedStore store = new WatchedStore();
    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(node -> node.shards(SHARDS))
            .build();

    /** Notes where reads begin. A question for all timers of a shard may take its time. */
    private final class WatchedStore extends PassThroughStore {
        private final List<Boolean> recent = new ArrayList<>();
        private final List<Integer> searched = new ArrayList<>();
        private Duration longestSearch = Duration.ZERO;
        private Duration perShard = Duration.ZERO;

        WatchedStore() {
            super(table);
        }

        @Override
        public DueTimers due(DueQuery query) {
            recent.add(isRecent(query.from()));
            return super.due(query);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            NextDue next = super.nextDue(queue, shards, after);
            if (after.equals(Instant.MIN)) {
                searched.add(shards.size());
                Duration takes = perShard.multipliedBy(shards.size());
                longestSearch = takes.compareTo(longestSearch) > 0 ? takes : longestSearch;
                if (!takes.isZero()) {
                    kit.clock().linger(takes);
                }
            } else {
                recent.add(isRecent(after));
            }
            return next;
        }

        private boolean isRecent(Instant time) {
            return !time.equals(Instant.MIN) && time.isAfter(kit.now().minus(RECENT));
        }
    }

    private void scheduleTraffic(Duration during) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, (int) during.dividedBy(APART))
                        .mapToObj(i ->
                                Timer.after("t-" + i, APART.multipliedBy(i)).build())
                        .toList());
    }

    private boolean isDelivered(String id) {
        return !kit.delivered(id).isEmpty();
    }

    @Test
    void aBusyLoopReadsOnlyWhatFellDueRecently() {
        scheduleTraffic(Duration.ofSeconds(10));
        kit.advance(Duration.ofSeconds(2));
        store.recent.clear();
        store.searched.clear();

        kit.advance(Duration.ofSeconds(6));

        assertThat(store.recent).hasSizeGreaterThan(500).containsOnly(true);
        assertThat(store.searched).hasSizeBetween(10, 30);
        assertThat(kit.delivered()).hasSizeBetween(799, 801);
    }

    /** By then the loop no longer waits for the commit. */
    @Test
    void aTimerThatCommitsLateIsDeliveredWithinAQuarterOfASecond() {
        scheduleTraffic(Duration.ofSeconds(30));
        try (InMemoryTransaction transaction = table.begin()) {
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.at("late", TestClock.START.minusSeconds(60)).build());
            kit.advance(Duration.ofSeconds(20));
            transaction.commit();
        }
        assertThat(isDelivered("late")).isFalse();

        kit.advance(Duration.ofMillis(270));

        assertThat(kit.delivered("late")).hasSize(1);
    }

    @Test
    void aTimerThatCommitsLateIsDeliveredAtTheNextPollOfAnIdleLoop() {
        scheduleTraffic(Duration.ofSeconds(20));
        try (InMemoryTransaction transaction = table.begin()) {
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.at("late", TestClock.START).build());
            kit.advance(Duration.ofSeconds(20));
            transaction.commit();
        }

        kit.advance(Duration.ofSeconds(5));

        assertThat(kit.delivered("late")).hasSize(1);
    }

    /** The loop searched all shards for the last time right before the commit, and was busy for a while after it. */
    @Test
    void aTimerThatCommitsBeforeTheLoopIsIdleIsDeliveredWithinAPollInterval() {
        scheduleTraffic(Duration.ofSeconds(30));
        try (InMemoryTransaction transaction = table.begin()) {
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.at("late", TestClock.START).build());
            kit.advance(Duration.ofSeconds(20));
            int searched = store.searched.size();
            while (store.searched.size() == searched) {
                kit.advance(APART);
            }
            transaction.commit();
        }
        int more = (int) Duration.between(TestClock.START, kit.now())
                .plus(Duration.ofMillis(200))
                .dividedBy(APART);
        for (int i = more; i < 3_000; i++) {
            kit.scheduler().cancel(TimerKey.of("t-" + i));
        }

        kit.advance(Duration.ofSeconds(5));

        assertThat(kit.delivered("late")).hasSize(1);
    }

    /** The loop has read all timers once. Its next read is of recent ones only, and is no search for the others. */
    @Test
    void aReadOfRecentTimersDoesNotPutOffTheSearchForOthers() {
        kit.scheduler()
                .schedule(Timer.recurring("hourly", Recurrence.every(Duration.ofHours(1)))
                        .build());
        scheduleForLater("a");
        kit.advance(Duration.ofSeconds(1));
        try (Scheduler elsewhere = elsewhere()) {
            elsewhere.schedule(
                    Timer.at("late", TestClock.START.minusSeconds(60)).build());
        }
        kit.advance(Duration.ofSeconds(3));
        kit.scheduler().schedule(Timer.after("now", Duration.ZERO).build());
        scheduleForLater("b");

        kit.advance(Duration.ofSeconds(2));

        assertThat(kit.delivered("late")).hasSize(1);
    }

    /**
     * A search passes over what lies between the begins of the last read and of the next one, because it may not be
     * settled yet. So it is no search of all timers if it found one there.
     */
    @Test
    void aTimerThatCommitsBetweenTheBeginsOfTwoReadsIsDeliveredWithinAPollInterval() {
        kit.scheduler().schedule(Timer.after("first", Duration.ZERO).build());
        kit.advance(Duration.ofSeconds(1));
        kit.scheduler().schedule(Timer.after("second", Duration.ZERO).build());
        scheduleForLater("a");
        kit.advance(Duration.ofMillis(200));
        try (Scheduler elsewhere = elsewhere()) {
            elsewhere.schedule(Timer.at("late", TestClock.START.plusMillis(500)).build());
        }
        kit.advance(Duration.ofMillis(2_800));
        kit.scheduler().schedule(Timer.after("third", Duration.ZERO).build());
        scheduleForLater("b");

        kit.advance(Duration.ofMillis(2_200));

        assertThat(kit.delivered("late")).hasSize(1);
    }

    /** Returns a node that neither delivers nor sends hints. */
    private Scheduler elsewhere() {
        return Scheduler.builder()
                .store(table)
                .hints(false)
                .carrier(kit.clock().node("elsewhere"))
                .build();
    }

    /** Lets the queue end its turn, and then keeps the poll for idle queues from it until its next one. */
    private void scheduleForLater(String id) {
        kit.runDue();
        kit.scheduler().schedule(Timer.after(id, Duration.ofHours(1)).build());
    }

    @Test
    void aTimerForThePastIsDeliveredAtOnce() {
        scheduleTraffic(Duration.ofSeconds(10));
        kit.advance(Duration.ofSeconds(5));

        kit.scheduler()
                .schedule(Timer.at("past", TestClock.START.minusSeconds(60)).build());
        kit.runDue();

        assertThat(kit.delivered("past")).hasSize(1);
    }

    @Test
    void aSlowSearchHoldsUpNoTimerForLong() {
        scheduleTraffic(Duration.ofSeconds(60));
        kit.advance(Duration.ofSeconds(1));
        store.perShard = Duration.ofMillis(5);
        kit.advance(Duration.ofSeconds(19));
        store.longestSearch = Duration.ZERO;
        try (InMemoryTransaction transaction = table.begin()) {
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.at("late", TestClock.START).build());
            kit.advance(Duration.ofSeconds(15));
            transaction.commit();
        }

        kit.advance(Duration.ofSeconds(10));

        assertThat(kit.delivered("late")).hasSize(1);
        assertThat(store.longestSearch).isLessThanOrEqualTo(Duration.ofMillis(10));
    }
}
