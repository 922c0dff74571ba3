package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how nodes share the shards of a queue. */
class ShardsTest {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration POLL = Duration.ofSeconds(5);
    /** Two leases and a renewal. After that time every node has seen every other node. */
    static final Duration SETTLED = Duration.ofSeconds(24);

    static TimerKit kit(int nodes, int shards) {
        return TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler.shards(shards))
                .build();
    }

    static Map<String, Integer> owners(TimerKit kit) {
        Map<String, Integer> owners = new TreeMap<>();
        kit.store().leases().view("default").leases().forEach(lease -> {
            if (lease.isHeld(kit.now()) && lease.owner() != null) {
                owners.merge(lease.owner().replaceFirst("-[0-9a-f]{8}$", ""), 1, Integer::sum);
            }
        });
        return owners;
    }

    /** Schedules timers in shards of all nodes: each has a sharding key. */
    static void schedule(KitNode node, int count, Duration delay) {
        node.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.after("t-" + i, delay)
                                .shardingKey("t-" + i)
                                .build())
                        .toList());
    }

    static void assertAllReached(TimerKit kit, int count) {
        assertThat(kit.store().query(TimerQuery.all().state(TimerState.REACHED).limit(10_000)))
                .hasSize(count);
    }

    @Nested
    class Sharing {
        @Test
        void oneNodeOwnsAllShards() {
            assertThat(owners(kit(1, 16))).isEqualTo(Map.of("node-0", 16));
        }

        @Test
        void twoNodesShareTheShardsFairly() {
            TimerKit kit = kit(2, 16);
            kit.advance(SETTLED);
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
        }

        @Test
        void threeNodesShareTheShardsAsFairlyAsTheirNumberAllows() {
            TimerKit kit = kit(3, 16);
            kit.advance(SETTLED.multipliedBy(2));
            assertThat(owners(kit))
                    .hasSize(3)
                    .allSatisfy((node, shards) -> assertThat(shards).isBetween(4, 6));
        }

        @Test
        void aNodeThatJoinsGetsItsShare() {
            TimerKit kit = kit(2, 16);
            kit.advance(SETTLED);
            kit.addNode();
            kit.addNode();
            kit.advance(SETTLED.multipliedBy(2));
            assertThat(owners(kit)).hasSize(4).containsValues(4);
        }

        @Test
        void noShardMovesInAnIdleHour() {
            TimerKit kit = kit(4, 64);
            kit.advance(SETTLED.multipliedBy(2));
            ShardMap before = kit.store().leases().view("default");
            kit.advance(Duration.ofHours(1));
            assertThat(kit.store().leases().view("default").leases())
                    .extracting(Lease::owner, Lease::epoch)
                    .isEqualTo(before.leases().stream()
                            .map(lease -> tuple(lease.owner(), lease.epoch()))
                            .toList());
            assertThat(owners(kit)).hasSize(4).containsValues(16);
        }

        @Test
        void oneNodeAloneMakesAtMostAHundredCallsAMinute() {
            TimerKit kit = kit(1, 64);
            kit.clock().everyTurn(true);
            kit.advance(SETTLED);
            int before = calls(kit.node(0));
            kit.advance(Duration.ofMinutes(10));
            assertThat((calls(kit.node(0)) - before) / 10).isBetween(20, 100);
        }

        private static int calls(KitNode node) {
            return Stream.of(StoreCall.values()).mapToInt(node::calls).sum();
        }

        @Test
        void aNodeThatJoinsSoonGetsItsShareAtTheNextRenewal() {
            TimerKit kit = kit(1, 16);
            kit.advance(SECOND);
            kit.addNode();
            kit.advance(LEASE.dividedBy(3).plusMillis(251));
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
        }

        @Test
        void aNodeThatJoinsLaterGetsItsShareWithinALease() {
            TimerKit kit = kit(1, 16);
            kit.advance(Duration.ofMinutes(10));
            kit.addNode();
            kit.advance(LEASE.plusMillis(251));
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
        }

        @ParameterizedTest
        @ValueSource(ints = {3, 5, 7, 9, 12, 20})
        void noNodeHasTwoMoreThanAnother(int nodes) {
            TimerKit kit = kit(nodes, 64);
            kit.advance(SETTLED.multipliedBy(2));
            assertThat(owners(kit))
                    .hasSize(nodes)
                    .allSatisfy((node, shards) -> assertThat(shards).isBetween(64 / nodes, 64 / nodes + 1));
        }

        @Test
        void everyNodeThatJoinsGetsItsShareHoweverManyThereAre() {
            TimerKit kit = kit(1, 64);
            for (int nodes = 2; nodes <= 16; nodes++) {
                kit.addNode();
                kit.advance(SETTLED);
                int least = 64 / nodes;
                assertThat(owners(kit))
                        .hasSize(nodes)
                        .allSatisfy((node, shards) -> assertThat(shards).isBetween(least, least + 1));
            }
        }

        @Test
        void noShardMovesAlthoughTheDivisionHasARemainder() {
            TimerKit kit = kit(7, 64);
            kit.advance(SETTLED.multipliedBy(2));
            List<Long> before = epochs(kit);
            kit.advance(Duration.ofHours(1));
            assertThat(epochs(kit)).isEqualTo(before);
        }

        private static List<Long> epochs(TimerKit kit) {
            return kit.store().leases().view("default").leases().stream()
                    .map(Lease::epoch)
                    .toList();
        }

        @Test
        void moreNodesThanShardsDoNoHarm() {
            TimerKit kit = kit(4, 2);
            kit.advance(SETTLED);
            schedule(kit.node(3), 50, SECOND);
            kit.advance(POLL);
            assertThat(kit).hasDeliveredCount(50);
        }

        @Test
        void nothingIsLostOrRepeatedWhileShardsMove() {
            TimerKit kit = kit(1, 16);
            for (int second = 0; second < 120; second++) {
                if (second % 30 == 10 && second < 100) {
                    kit.addNode();
                }
                kit.node(0)
                        .scheduler()
                        .schedule(Timer.after("t-" + second, Duration.ofSeconds(7))
                                .build());
                kit.advance(SECOND);
            }
            kit.advance(LEASE);
            assertThat(kit).hasDeliveredCount(120);
            assertThat(kit.delivered()).extracting(Envelope::id).doesNotHaveDuplicates();
            assertThat(owners(kit)).hasSize(4);
        }

        @Test
        void eachTimerIsDeliveredByTheOwnerOfItsShard() {
            TimerKit kit = kit(1, 16);
            InMemoryPublisher second = new InMemoryPublisher();
            kit.addNode(scheduler -> scheduler.publisher(second));
            kit.advance(SETTLED);
            schedule(kit.node(0), 200, POLL.plus(SECOND));
            kit.advance(POLL.plus(SECOND));
            assertThat(kit.delivered()).hasSizeBetween(50, 150);
            assertThat(second.delivered()).hasSize(200 - kit.delivered().size());
        }
    }

    @Test
    void anOutageOfTheStoreBeyondTheLeaseMovesNoShards() {
        TimerKit kit = kit(2, 16);
        kit.advance(SETTLED);
        ShardMap before = kit.store().leases().view("default");
        kit.nodes().forEach(KitNode::storeDown);
        kit.advance(Duration.ofSeconds(30));
        kit.node(1).storeUp();
        kit.advance(SECOND);
        kit.node(0).storeUp();
        kit.advance(SETTLED);
        assertThat(kit.store().leases().view("default").leases())
                .extracting(Lease::shard, Lease::owner, Lease::epoch)
                .isEqualTo(before.leases().stream()
                        .map(lease -> tuple(lease.shard(), lease.owner(), lease.epoch()))
                        .toList());
    }
}
