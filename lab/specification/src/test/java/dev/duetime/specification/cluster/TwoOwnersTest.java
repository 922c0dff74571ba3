package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.ShardsTest.assertAllReached;
import static dev.duetime.specification.cluster.ShardsTest.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The rule that safety does not depend on leases: two owners of a shard can repeat a delivery, but never lose one. */
class TwoOwnersTest {

    @Test
    void twoOwnersOfOneShardRepeatTimersButLoseNone() {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.nodeId("twin"))
                .build();
        schedule(kit.node(0), 100, Duration.ofSeconds(2));
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertAllReached(kit, 100);
        assertThat(kit.delivered().stream().map(Envelope::id).distinct()).hasSize(100);
    }

    /** The node has as many leases as it expects, but one of them is for another shard. */
    @Test
    void aNodeThatLostOneShardAndGotAnotherUnawaresOwnsTheOther() {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.shards(2))
                .notStarted()
                .build();
        ShardLeases leases = kit.store().leases();
        leases.open("default", OptionalInt.of(2));
        leases.acquire("default", List.of(1), "stranger", kit.now(), kit.now().plus(ShardsTest.LEASE));
        kit.node(0).start();
        kit.runDue();
        String self = leases.view("default").leases().get(0).owner();
        kit.node(0).pause();
        kit.advance(ShardsTest.LEASE.plusMillis(1));

        Instant until = kit.now().plus(ShardsTest.LEASE);
        leases.acquire("default", List.of(0), "stranger", kit.now(), until);
        leases.acquire("default", List.of(1), Objects.requireNonNull(self), kit.now(), until);
        schedule(kit.node(0), 100, Duration.ZERO);
        kit.node(0).failBefore(StoreCall.VIEW);
        kit.node(0).resume();
        kit.advance(ShardsTest.SECOND);

        assertThat(kit.delivered())
                .extracting(each -> kit.store().find(each.key()).orElseThrow().shard())
                .isNotEmpty()
                .containsOnly(1);
    }

    @Test
    void nodesWithJumpingClocksRepeatTimersButLoseNone() {
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
