package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of how soon a node delivers a timer that another node has scheduled, and that an idle node is not busy. */
class WakeUpTest {
    private static final Duration POLL = Duration.ofSeconds(5);

    private final TimerKit kit = TimerKit.create();
    private final KitNode node = kit.node(0);

    @Test
    void aTimerOfANodeWithoutShardsFiresWithinThePollingInterval() {
        KitNode other = kit.addNode();
        kit.advance(Duration.ofMillis(1));
        List<TimerKey> keys =
                IntStream.range(0, 20).mapToObj(i -> TimerKey.of("t-" + i)).toList();
        keys.forEach(key -> other.scheduler()
                .schedule(Timer.after(key, Duration.ofMillis(10)).build()));
        kit.advance(POLL);
        assertThat(kit).hasDeliveredCount(20);
    }

    @Test
    void aTimerThatAnotherNodeScheduledInTimeFiresExactly() {
        KitNode other = kit.addNode();
        kit.advance(Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) {
            other.scheduler().schedule(Timer.after("t-" + i, POLL.plusMillis(7)).build());
        }
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.delivered())
                .hasSize(20)
                .allSatisfy(each -> assertThat(each.event().lateness()).isZero());
    }

    @Test
    void aShorterPollingIntervalFindsTheTimerSooner() {
        TimerKit quick = TimerKit.builder()
                .nodes(2)
                .configure(scheduler -> scheduler.pollInterval(Duration.ofMillis(20)))
                .build();
        quick.advance(Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) {
            quick.node(1)
                    .scheduler()
                    .schedule(Timer.after("t-" + i, Duration.ZERO).build());
        }
        quick.advance(Duration.ofMillis(20));
        assertThat(quick).hasDeliveredCount(20);
    }

    @Test
    void anIdleNodePollsOnceAPollingInterval() {
        kit.clock().everyTurn(true);
        kit.advance(Duration.ofMinutes(10));
        assertThat(node.calls(StoreCall.NEXT_DUE)).isBetween(119, 121);
        assertThat(node.calls(StoreCall.DUE)).isLessThanOrEqualTo(1);
        assertThat(node.calls(StoreCall.SETTLE)).isZero();
    }

    @Test
    void aTimerFarInTheFutureCostsNoAdditionalPoll() {
        kit.clock().everyTurn(true);
        kit.scheduler().schedule(Timer.after("far", Duration.ofDays(30)).build());
        kit.advance(Duration.ofMinutes(10));
        assertThat(node.calls(StoreCall.NEXT_DUE)).isBetween(119, 122);
        assertThat(node.calls(StoreCall.DUE)).isLessThanOrEqualTo(1);
    }

    @Test
    void aDueTimerIsReadPublishedAndSettledOnce() {
        int dueBefore = node.calls(StoreCall.DUE);
        kit.scheduler().schedule(Timer.after("a", Duration.ofMillis(100)).build());
        kit.advance(Duration.ofMillis(100));
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(kit.publisher().calls()).isEqualTo(1);
        assertThat(node.calls(StoreCall.DUE) - dueBefore).isEqualTo(1);
        assertThat(node.calls(StoreCall.SETTLE)).isEqualTo(1);
    }

    @Test
    void aRescheduledTimerFiresOnlyAtItsNewTime() {
        kit.scheduler().schedule(Timer.after("a", Duration.ofSeconds(1)).build());
        kit.scheduler().schedule(Timer.after("a", Duration.ofSeconds(3)).build());
        kit.advance(Duration.ofSeconds(3));
        assertThat(kit).hasDeliveredOnce("a");
        StoredTimer timer = kit.scheduler().find(TimerKey.of("a")).orElseThrow();
        assertThat(timer.settledAt()).isEqualTo(TestClock.START.plusSeconds(3));
    }
}
