package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Specifies that safety does not rest on leases: two owners of a shard can repeat a delivery, never lose one. */
class TwoOwnersTest {

    private static void schedule(KitNode node, int count, Duration delay) {
        node.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.after("t-" + i, delay).build())
                        .toList());
    }

    private static void assertAllReached(TimerKit kit, int count) {
        assertThat(kit.store().query(TimerQuery.all().state(TimerState.REACHED).limit(10_000)))
                .hasSize(count);
    }

    @Test
    void twoOwnersOfOneShardRepeatButNeverLose() {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.nodeId("twin"))
                .build();
        schedule(kit.node(0), 100, Duration.ofSeconds(2));
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertAllReached(kit, 100);
        assertThat(kit.delivered().stream().map(Envelope::id).distinct()).hasSize(100);
    }

    @Test
    void nodesWhoseClocksHaveJumpedRepeatButNeverLoseNorComeEarlyByTheirOwnClock() {
        TimerKit kit = TimerKit.builder().nodes(2).build();
        kit.advance(Duration.ofSeconds(24));
        schedule(kit.node(0), 100, Duration.ofSeconds(30));
        kit.node(1).clock().jump(Duration.ofSeconds(25));
        kit.advance(Duration.ofMinutes(2));
        kit.node(1).clock().jump(Duration.ofSeconds(-25));
        kit.advance(Duration.ofMinutes(2));
        assertAllReached(kit, 100);
        assertThat(kit.delivered())
                .allSatisfy(each -> assertThat(each.event().lateness()).isGreaterThanOrEqualTo(Duration.ZERO));
        assertThat(kit.store().find(TimerKey.of("t-0")).orElseThrow().attempt()).isPositive();
    }
}
