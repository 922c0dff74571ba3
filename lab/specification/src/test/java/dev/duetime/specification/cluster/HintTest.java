package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps.Sent;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a node sends hints of timers that other nodes deliver and that are due before these nodes poll. */
class HintTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(250);

    /** So long that no timer of a test is found by a poll by chance. */
    private static final Duration POLL = Duration.ofMinutes(1);

    private final TimerKit kit = settled(kit(2));

    private static TimerKit kit(int nodes) {
        return TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler.shards(16).pollInterval(POLL))
                .build();
    }

    private static TimerKit settled(TimerKit kit) {
        kit.advance(ShardsTest.SETTLED.multipliedBy(2));
        return kit;
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private static List<Timer> keyed(int count, Duration delay) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> Timer.after("t-" + i, delay).shardingKey("t-" + i).build())
                .toList();
    }

    private Duration latest() {
        return kit.delivered().stream()
                .map(each -> Duration.between(each.event().dueAt(), each.event().reachedAt()))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    @Test
    void aTimerInAnothersShardIsDeliveredAtTheOwnersNextLook() {
        kit.node(0).scheduler().scheduleAll(keyed(50, Duration.ofMillis(10)));
        kit.advance(SECOND);

        assertThat(kit).hasDeliveredCount(50);
    }

    @Test
    void ownersLookFourTimesASecondWhileHintsCome() {
        kit.node(0).scheduler().scheduleAll(keyed(20, Duration.ofMillis(10)));
        kit.advance(SECOND);
        kit.publisher().clear();
        for (int i = 0; i < 40; i++) {
            kit.node(i % 2)
                    .scheduler()
                    .schedule(Timer.after("u-" + i, Duration.ofMillis(5))
                            .shardingKey("u-" + i)
                            .build());
            kit.advance(Duration.ofMillis(130));
        }
        kit.advance(LOOK);

        assertThat(kit).hasDeliveredCount(40);
        assertThat(latest()).isLessThanOrEqualTo(LOOK.plusMillis(50));
    }

    @Test
    void aNodeThatIsNotStartedSendsHintsToo() {
        try (TimerKit cluster =
                TimerKit.builder().store(kit.store()).notStarted().build()) {
            cluster.clock().advanceTo(kit.now());
            cluster.scheduler().scheduleAll(keyed(20, Duration.ofMillis(10)));
            cluster.runDue();
            assertThat(kit.store().wakeUps().sent()).isNotEmpty();
        }
        kit.advance(SECOND);

        assertThat(kit).hasDeliveredCount(20);
    }

    @Test
    void hintsAreSentTwentyTimesASecondAtMost() {
        int before = kit.node(0).calls(StoreCall.SEND_HINTS);
        for (int i = 0; i < 1_000; i++) {
            kit.node(0)
                    .scheduler()
                    .schedule(
                            Timer.after("t-" + i, SECOND).shardingKey("t-" + i).build());
            kit.advance(Duration.ofMillis(1));
        }
        kit.advance(SECOND);

        assertThat(kit.node(0).calls(StoreCall.SEND_HINTS) - before).isBetween(15, 21);
    }

    @Test
    void aTimerDueAfterTheNextPollNeedsNoHint() {
        kit.node(0).scheduler().scheduleAll(keyed(50, POLL));
        kit.advance(SECOND);

        assertThat(kit.node(0).calls(StoreCall.SEND_HINTS)).isZero();
    }

    @Test
    void noHintIsSentBeforeACallersTransactionCommits() {
        try (OwnTransaction transaction = kit.store().begin()) {
            kit.node(0).scheduler().in(transaction.transaction()).scheduleAll(keyed(50, SECOND));
            kit.advance(SECOND);
            assertThat(kit.node(0).calls(StoreCall.SEND_HINTS)).isZero();
            transaction.commit();
        }
        kit.advance(POLL);

        assertThat(kit).hasDeliveredCount(50);
    }

    @Test
    void withoutHintsThePollFindsTheTimer() {
        for (KitNode node : kit.nodes()) {
            node.storeDown(call -> call == StoreCall.SEND_HINTS);
        }
        Instant due = kit.now().plusMillis(10);
        kit.node(0).scheduler().scheduleAll(keyed(50, Duration.ofMillis(10)));
        kit.advance(POLL.plus(SECOND));

        assertThat(kit).hasDeliveredCount(50);
        assertThat(kit.delivered())
                .allSatisfy(each -> assertThat(each.event().reachedAt()).isBetween(due, due.plus(POLL)));
    }

    @Test
    void timersThatAnOperatorDeliversNowAreHintedAt() {
        kit.node(0).scheduler().scheduleAll(keyed(50, Duration.ofHours(5)));
        kit.advance(Duration.ofMinutes(3));

        kit.node(0).scheduler().admin().deliverNow(TimerQuery.all().queue("default"));
        kit.advance(SECOND.plus(LOOK));

        assertThat(kit).hasDeliveredCount(50);
    }

    @Test
    void theShardsOfANodeThatClosesAreHintedAt() {
        kit.advance(Duration.ofMinutes(3));
        int asked = kit.node(1).calls(StoreCall.FREE);
        kit.advance(Duration.ofMinutes(10));
        assertThat(kit.node(1).calls(StoreCall.FREE)).isEqualTo(asked);

        kit.node(0).close();
        kit.advance(SECOND.plus(LOOK));

        String node = kit.node(1).scheduler().admin().health().nodeId();
        assertThat(kit.store().leases().view("default").leases()).allMatch(lease -> node.equals(lease.owner()));
    }

    @Test
    void withHintsTurnedOffNoneIsSentOrReadAndShardsAreAskedFor() {
        try (TimerKit deaf = TimerKit.builder()
                .nodes(2)
                .configure(scheduler -> scheduler.hints(false))
                .build()) {
            deaf.advance(Duration.ofMinutes(3));
            deaf.node(0).scheduler().scheduleAll(keyed(50, Duration.ofMillis(10)));
            deaf.node(0).scheduler().admin().deliverNow(TimerQuery.all().queue("default"));
            deaf.advance(POLL.plus(SECOND));
            assertThat(deaf).hasDeliveredCount(50);
            assertThat(deaf.node(0).calls(StoreCall.SEND_HINTS)).isZero();
            assertThat(deaf.node(1).calls(StoreCall.READ_HINTS)).isZero();

            deaf.node(0).close();
            deaf.advance(LOOK.plusMillis(10));
            String node = deaf.node(1).scheduler().admin().health().nodeId();
            assertThat(deaf.store().leases().view("default").leases()).allMatch(lease -> node.equals(lease.owner()));
        }
    }

    @Test
    void aHintThatCouldNotBeSentIsSentLater() {
        kit.node(0).failBefore(StoreCall.SEND_HINTS);
        kit.node(0).scheduler().scheduleAll(keyed(50, Duration.ofMillis(10)));
        kit.advance(SECOND.multipliedBy(2));

        assertThat(kit).hasDeliveredCount(50);
    }

    @Test
    void aNodeThatClosesSendsItsLastHintsAndHintsAtItsShards() {
        long before =
                kit.store().wakeUps().sent().stream().mapToLong(Sent::count).sum();
        kit.node(0).scheduler().scheduleAll(keyed(50, Duration.ofMillis(10)));
        kit.node(0).close();

        assertThat(kit.node(0).calls(StoreCall.SEND_HINTS)).isEqualTo(2);
        assertThat(kit.store().wakeUps().sent()).containsExactly(new Sent("default", before + 2, WakeUp.NO_TIMER));
    }

    @Test
    void aHintThatWaitsNamesTheEarliestDueTime() {
        kit.node(0).scheduler().scheduleAll(keyed(20, Duration.ofMillis(10)));
        kit.advance(Duration.ofMillis(1));
        kit.node(0).scheduler().scheduleAll(keyed("late", SECOND.multipliedBy(30)));
        Instant early = kit.now().plusMillis(100);
        kit.node(0).scheduler().scheduleAll(keyed("early", Duration.ofMillis(100)));
        kit.advance(Duration.ofMillis(60));
        assertThat(kit.store().wakeUps().sent()).extracting(Sent::dueAt).containsExactly(early);
        kit.advance(SECOND.multipliedBy(2));

        assertThat(kit).hasDeliveredCount(40);
    }

    @Test
    void anOwnerThatMissedTheFirstOfTwoHintsReadsAtOnce() {
        try (TimerKit three = settled(kit(3))) {
            three.node(0).scheduler().scheduleAll(keyed("early", Duration.ofMillis(100)));
            three.advance(Duration.ofMillis(1));
            three.node(1).scheduler().scheduleAll(keyed("late", SECOND.multipliedBy(30)));
            three.advance(SECOND.multipliedBy(2));

            assertThat(three).hasDeliveredCount(20);
        }
    }

    private static List<Timer> keyed(String prefix, Duration delay) {
        return IntStream.range(0, 20)
                .mapToObj(i -> prefix + "-" + i)
                .map(id -> Timer.after(id, delay).shardingKey(id).build())
                .toList();
    }
}
