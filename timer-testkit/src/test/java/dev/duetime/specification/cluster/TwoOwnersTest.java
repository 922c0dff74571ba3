package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.ShardsTest.assertAllReached;
import static dev.duetime.specification.cluster.ShardsTest.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rule that safety does not depend on leases: two owners of a shard can repeat a delivery, but never lose one. */
class TwoOwnersTest {

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
    void nodesWithJumpingClocksRepeatButNeverLose() {
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
