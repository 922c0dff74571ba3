package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of opening, viewing, announcing, renewing and releasing shards. */
abstract class LeaseContract extends ContractPart {
    private static final Instant UNTIL = NOW.plusSeconds(10);
    private static final Instant LONGER = NOW.plusSeconds(20).plus(TICK);

    private final String node = unique("node");
    private final String otherNode = unique("node");

    LeaseContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void timeDoesNotGoBack() {
        Instant last = leases().now();
        for (int i = 0; i < 100; i++) {
            Instant now = leases().now();
            assertThat(now).isAfterOrEqualTo(last);
            last = now;
        }
    }

    @Test
    void anOpenedQueueHasThatManyFreeShards() {
        assertThat(open(queue, 5)).isEqualTo(5);

        List<Lease> view = leases().view(queue).leases();

        assertThat(view).extracting(Lease::shard).containsExactly(0, 1, 2, 3, 4);
        assertThat(view).allMatch(lease -> lease.owner() == null && lease.until() == null && !lease.isHeld(NOW));
        assertThat(leases().view(queue).announced()).isEmpty();
    }

    @Test
    void aQueueMayHaveOneShardOrAThousand() {
        assertThat(open(queue, 1)).isEqualTo(1);
        assertThat(open(otherQueue, 1_000)).isEqualTo(1_000);

        assertThat(leases().view(queue).leases()).hasSize(1);
        assertThat(leases().view(otherQueue).leases())
                .extracting(Lease::shard)
                .containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void aQueueHasTheStoresDefaultIfNoNumberIsGiven() {
        int shards = leases().open(queue, OptionalInt.empty());

        assertThat(shards).isPositive();
        assertThat(leases().open(otherQueue, OptionalInt.empty())).isEqualTo(shards);
        assertThat(leases().view(queue).leases()).hasSize(shards);
    }

    @Test
    void aQueueKeepsTheNumberItWasFirstOpenedWith() {
        open(queue, 5);

        assertThat(open(queue, 3)).isEqualTo(5);
        assertThat(open(queue, 8)).isEqualTo(5);
        assertThat(leases().open(queue, OptionalInt.empty())).isEqualTo(5);
        assertThat(leases().view(queue).leases()).hasSize(5);
    }

    @Test
    void openingAgainChangesNoLeasesAndAnnouncements() {
        open(queue, 3);
        leases().acquire(queue, Set.of(1), node, NOW, UNTIL);
        announce(queue, otherNode, UNTIL);
        ShardMap before = leases().view(queue);

        open(queue, 3);

        assertThat(leases().view(queue)).isEqualTo(before);
    }

    @Test
    void concurrentOpensReturnTheSameNumber() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String opened = unique("q");

            List<Integer> numbers = Race.of(i -> () -> open(opened, i + 1));

            assertThat(leases().view(opened).leases())
                    .extracting(Lease::shard)
                    .containsExactlyElementsOf(
                            IntStream.range(0, numbers.get(0)).boxed().toList());
            assertThat(numbers).containsOnly(numbers.get(0));
        }
    }

    @Test
    void anAnnouncementIsShownOnItsQueueUntilItIsTakenBack() {
        open(queue, 2);
        open(otherQueue, 2);

        announce(queue, node, UNTIL);
        announce(queue, otherNode, LONGER);
        announce(otherQueue, node, LONGER);

        assertThat(leases().view(queue).announced())
                .containsOnlyKeys(node, otherNode)
                .containsEntry(node, UNTIL)
                .containsEntry(otherNode, LONGER);
        assertThat(leases().view(otherQueue).announced()).containsOnlyKeys(node);

        leases().release(queue, Set.of(), node);

        assertThat(leases().view(queue).announced()).containsOnlyKeys(otherNode);
        assertThat(leases().view(otherQueue).announced()).containsOnlyKeys(node);
    }

    @Test
    void aNodeThatAnnouncesItselfAgainIsShownOnceWithTheNewTime() {
        open(queue, 2);
        announce(queue, node, UNTIL);

        announce(queue, node, LONGER);

        assertThat(leases().view(queue).announced()).containsOnlyKeys(node).containsEntry(node, LONGER);
    }

    @Test
    void aNodeThatAcquiresCountsAsAlive() {
        open(queue, 2);

        leases().acquire(queue, Set.of(0), node, NOW, UNTIL);

        assertThat(leases().view(queue).announced()).containsOnlyKeys(node).containsEntry(node, UNTIL);
    }

    @Test
    void queuesWithAFreeShardAreNamed() {
        open(queue, 2);
        open(otherQueue, 2);
        assertThat(leases().free()).contains(queue, otherQueue);

        leases().acquire(queue, Set.of(0), node, NOW, UNTIL);
        leases().acquire(otherQueue, Set.of(0, 1), node, NOW, UNTIL);
        assertThat(leases().free()).contains(queue).doesNotContain(otherQueue);

        leases().release(otherQueue, Set.of(1), node);
        assertThat(leases().free()).contains(queue, otherQueue);
    }

    @Test
    void aShardWhoseLeaseHasEndedIsNotFree() {
        open(queue, 1);
        leases().acquire(queue, Set.of(0), node, NOW, NOW.minusSeconds(1));

        assertThat(leases().free()).doesNotContain(queue);
    }

    @Test
    void anAnnouncementOwnsNothing() {
        open(queue, 2);

        announce(queue, node, UNTIL);

        assertThat(leases().view(queue).leases()).allMatch(lease -> lease.owner() == null);
        assertThat(leases().renew(node, LONGER)).isZero();
    }

    @Test
    void renewingExtendsAllLeasesOfTheNodeOnAllQueuesAndCountsThem() {
        open(queue, 4);
        open(otherQueue, 4);
        leases().acquire(queue, Set.of(0, 2), node, NOW, UNTIL);
        leases().acquire(otherQueue, Set.of(3), node, NOW, UNTIL);
        leases().acquire(queue, Set.of(1), otherNode, NOW, UNTIL);
        long epoch = lease(queue, 0).epoch();

        assertThat(leases().renew(node, LONGER)).isEqualTo(3);

        assertThat(lease(queue, 0)).isEqualTo(new Lease(0, node, epoch, LONGER));
        assertThat(lease(queue, 2).until()).isEqualTo(LONGER);
        assertThat(lease(otherQueue, 3).until()).isEqualTo(LONGER);
        assertThat(lease(queue, 1).until()).isEqualTo(UNTIL);
        assertThat(lease(queue, 3).until()).isNull();
    }

    @Test
    void renewingCountsZeroForANodeThatHoldsNothing() {
        open(queue, 2);
        leases().acquire(queue, Set.of(0, 1), otherNode, NOW, UNTIL);

        assertThat(leases().renew(node, LONGER)).isZero();
        assertThat(lease(queue, 0).until()).isEqualTo(UNTIL);
    }

    @Test
    void renewingDoesNotTakeBackWhatAnotherNodeAcquired() {
        open(queue, 2);
        leases().acquire(queue, Set.of(0, 1), node, NOW, UNTIL);
        leases().acquire(queue, Set.of(1), otherNode, UNTIL.plus(TICK), LONGER);

        assertThat(leases().renew(node, LONGER.plusSeconds(1))).isEqualTo(1);

        assertThat(lease(queue, 1).owner()).isEqualTo(otherNode);
        assertThat(lease(queue, 1).until()).isEqualTo(LONGER);
    }

    @Test
    void releasingFreesOnlyTheGivenShardsOfTheGivenQueue() {
        open(queue, 3);
        open(otherQueue, 3);
        leases().acquire(queue, Set.of(0, 1), node, NOW, UNTIL);
        leases().acquire(otherQueue, Set.of(0), node, NOW, UNTIL);

        leases().release(queue, Set.of(0, 2), node);

        assertThat(lease(queue, 0).owner()).isNull();
        assertThat(lease(queue, 0).until()).isNull();
        assertThat(lease(queue, 1).owner()).isEqualTo(node);
        assertThat(lease(otherQueue, 0).owner()).isEqualTo(node);
    }

    @Test
    void releasingChangesNoShardsOfOtherNodes() {
        open(queue, 2);
        leases().acquire(queue, Set.of(0), otherNode, NOW, UNTIL);
        announce(queue, otherNode, UNTIL);
        ShardMap before = leases().view(queue);

        leases().release(queue, Set.of(0, 1), node);

        assertThat(leases().view(queue)).isEqualTo(before);
    }

    @Test
    void aReleasedShardIsAcquiredAtOnceWithAnEpochOfItsOwn() {
        open(queue, 1);
        leases().acquire(queue, Set.of(0), node, NOW, UNTIL);
        long before = lease(queue, 0).epoch();

        leases().release(queue, Set.of(0), node);

        assertThat(leases().acquire(queue, Set.of(0), otherNode, NOW, UNTIL)).containsExactly(0);
        assertThat(lease(queue, 0).epoch()).isGreaterThan(before);
    }

    private ShardLeases leases() {
        return store().leases();
    }

    private int open(String name, int shards) {
        return leases().open(name, OptionalInt.of(shards));
    }

    private Lease lease(String name, int shard) {
        return leases().view(name).leases().get(shard);
    }

    private void announce(String onQueue, String name, Instant until) {
        assertThat(leases().acquire(onQueue, Set.of(), name, NOW, until)).isEmpty();
    }
}
