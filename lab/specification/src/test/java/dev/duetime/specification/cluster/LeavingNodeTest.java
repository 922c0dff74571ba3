package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.ShardsTest.LEASE;
import static dev.duetime.specification.cluster.ShardsTest.POLL;
import static dev.duetime.specification.cluster.ShardsTest.SECOND;
import static dev.duetime.specification.cluster.ShardsTest.SETTLED;
import static dev.duetime.specification.cluster.ShardsTest.assertAllReached;
import static dev.duetime.specification.cluster.ShardsTest.kit;
import static dev.duetime.specification.cluster.ShardsTest.owners;
import static dev.duetime.specification.cluster.ShardsTest.schedule;
import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of a node's shards when the node crashes, closes or pauses, and when it comes back. */
class LeavingNodeTest {
    @Nested
    class ACrashedNode {
        private final TimerKit kit = kit(2, 16);

        @Test
        void isReplacedWithinItsLeaseAndAPollingInterval() {
            kit.advance(SETTLED);
            schedule(kit.node(1), 100, SECOND);
            kit.node(0).crash();
            kit.advance(LEASE.plus(POLL));
            assertThat(kit).hasDeliveredCount(100);
            assertThat(owners(kit)).isEqualTo(Map.of("node-1", 16));
        }

        @Test
        void isNotReplacedWhileItsLeaseLasts() {
            kit.advance(SETTLED);
            schedule(kit.node(1), 100, SECOND);
            kit.node(0).crash();
            kit.advance(Duration.ofSeconds(6));
            assertThat(kit.delivered()).hasSizeBetween(1, 99);
        }

        @Test
        void losesNothingWhicheverCallItDiesIn() {
            for (StoreCall call : List.of(StoreCall.DUE, StoreCall.NEXT_DUE, StoreCall.SETTLE, StoreCall.RENEW)) {
                for (boolean after : new boolean[] {false, true}) {
                    TimerKit each = kit(2, 16);
                    each.advance(SETTLED);
                    schedule(each.node(1), 100, SECOND);
                    KitNode dying =
                            after ? each.node(0).crashAfter(call) : each.node(0).crashBefore(call);
                    each.advance(Duration.ofMinutes(1));
                    assertThat(dying.isCrashed()).isTrue();
                    assertAllReached(each, 100);
                }
            }
        }

        @Test
        void comesBackUnderItsNameWithNewLeasesOfItsShards() {
            kit.advance(SETTLED);
            kit.node(0).crash();
            kit.advance(SECOND);
            kit.node(0).restart();
            kit.runDue();
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
            assertThat(kit.store().leases().view("default").leases())
                    .filteredOn(lease -> String.valueOf(lease.owner()).startsWith("node-0"))
                    .extracting(Lease::until)
                    .containsOnly(kit.now().plus(LEASE));
        }

        @Test
        void comesBackUnderItsNameAndHasItsShardsAtOnce() {
            kit.advance(SETTLED);
            schedule(kit.node(0), 100, POLL.plus(SECOND));
            kit.advance(POLL);
            kit.node(0).restart();
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredCount(100);
            assertThat(kit.delivered()).allSatisfy(each -> assertThat(each).wasReachedAt(kit.now()));
        }

        @Test
        void sharesWithALiveNodeOfTheSameName() {
            kit.advance(SETTLED);
            Map<String, Integer> before = processes();
            kit.addNode(scheduler -> scheduler.nodeId("node-0"));
            kit.advance(Duration.ofMillis(1));
            assertThat(processes()).hasSize(2).isNotEqualTo(before);
            kit.advance(SETTLED.multipliedBy(2));
            assertThat(processes())
                    .hasSize(3)
                    .allSatisfy((process, shards) -> assertThat(shards).isBetween(4, 6));
        }

        private Map<String, Integer> processes() {
            return kit.store().leases().view("default").leases().stream()
                    .filter(lease -> lease.owner() != null)
                    .collect(Collectors.toMap(lease -> String.valueOf(lease.owner()), lease -> 1, Integer::sum));
        }

        @Test
        void comesBackAfterItsLeaseAndSharesAgain() {
            kit.advance(SETTLED);
            kit.node(0).crash();
            kit.advance(Duration.ofMinutes(1));
            assertThat(owners(kit)).isEqualTo(Map.of("node-1", 16));
            kit.node(0).restart();
            kit.advance(SETTLED);
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
        }
    }

    @Nested
    class AClosedNode {
        private final TimerKit kit = kit(2, 16);

        @Test
        void handsOverInAQuarterOfASecond() {
            kit.advance(SETTLED);
            schedule(kit.node(1), 100, SECOND);
            kit.advance(Duration.ofMillis(900));
            kit.node(0).close();
            kit.advance(Duration.ofMillis(251));
            assertThat(owners(kit)).isEqualTo(Map.of("node-1", 16));
            assertThat(kit).hasDeliveredCount(100);
            assertThat(kit.delivered()).allSatisfy(each -> assertThat(each).hasAttempt(1));
        }

        @Test
        void handsOverToSeveralInASecond() {
            TimerKit four = kit(4, 64);
            four.advance(SETTLED.multipliedBy(2));
            four.node(2).close();
            four.advance(SECOND);
            assertThat(owners(four))
                    .hasSize(3)
                    .allSatisfy((node, shards) -> assertThat(shards).isBetween(20, 22));
        }

        @Test
        void leavesNothingLateThatIsDueAfterTheHandOver() {
            kit.advance(SETTLED);
            schedule(kit.node(1), 100, LEASE.plus(SECOND));
            kit.node(0).close();
            kit.advance(LEASE.plus(SECOND));
            assertThat(kit).hasDeliveredCount(100);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each).wasReachedAt(kit.now()).hasAttempt(1));
        }
    }

    @Nested
    class APausedNode {
        private final TimerKit kit = kit(1, 16);
        private final InMemoryPublisher second = new InMemoryPublisher();
        private final KitNode other = kit.addNode(scheduler -> scheduler.publisher(second));

        @Test
        void deliversNothingOfLostShardsAfterAPause() {
            kit.advance(SETTLED);
            schedule(other, 100, SECOND);
            kit.node(0).pause();
            kit.advance(Duration.ofMinutes(1));
            assertThat(second).hasDeliveredCount(100);
            kit.node(0).resume();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredNothing();
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
        }

        @Test
        void doesNotTrustItsLeaseAfterAPause() {
            kit.advance(SETTLED);
            kit.node(0).pause();
            kit.advance(LEASE);
            schedule(other, 100, Duration.ZERO);
            kit.node(0).resume();
            kit.runDue();
            assertThat(kit).hasDeliveredNothing();
        }

        @Test
        void thatNoNodeReplacedContinuesAsBefore() {
            other.crash();
            kit.advance(SETTLED);
            schedule(kit.node(0), 100, SECOND);
            kit.node(0).pause();
            kit.advance(Duration.ofMinutes(1));
            kit.node(0).resume();
            kit.runDue();
            assertThat(kit).hasDeliveredCount(100);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each).wasReachedAt(kit.now()).hasAttempt(1));
        }

        @Test
        void inMidDeliveryRepeatsItsBatchAtMostAndLosesNothing() {
            kit.advance(SETTLED);
            schedule(other, 100, SECOND);
            kit.node(0).storeDown(call -> call == StoreCall.SETTLE);
            kit.advance(SECOND);
            int inFlight = kit.delivered().size();
            kit.node(0).pause();
            kit.advance(Duration.ofMinutes(1));
            kit.node(0).storeUp().resume();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredCount(inFlight);
            assertThat(second).hasDeliveredCount(100);
            assertAllReached(kit, 100);
        }
    }
}
