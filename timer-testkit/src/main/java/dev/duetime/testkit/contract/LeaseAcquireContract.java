package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a node acquires the shards that are free, whose lease has ended, or that it already holds. */
abstract class LeaseAcquireContract extends ContractPart {
    private static final int SHARDS = 8;
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3, 4, 5, 6, 7);
    private static final Instant UNTIL = NOW.plusSeconds(10);
    private static final Instant LONGER = NOW.plusSeconds(20).plus(TICK);

    private final String node = unique("node");
    private final String otherNode = unique("node");

    LeaseAcquireContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void freeShardsAreAcquired() {
        open(queue);
        long before = lease(2).epoch();

        assertThat(acquire(Set.of(2, 5), node, NOW, UNTIL)).containsExactlyInAnyOrder(2, 5);

        assertThat(lease(2).owner()).isEqualTo(node);
        assertThat(lease(2).until()).isEqualTo(UNTIL);
        assertThat(lease(2).epoch()).isGreaterThan(before);
        assertThat(lease(2).isHeld(UNTIL)).isTrue();
        assertThat(lease(5).owner()).isEqualTo(node);
    }

    @Test
    void onlyTheGivenShardsOfTheGivenQueueAreAcquired() {
        open(queue);
        open(otherQueue);

        acquire(Set.of(2, 5), node, NOW, UNTIL);

        assertThat(leases().view(queue).leases())
                .filteredOn(lease -> lease.owner() != null)
                .extracting(Lease::shard)
                .containsExactly(2, 5);
        assertThat(leases().view(otherQueue).leases()).allMatch(lease -> lease.owner() == null);
    }

    @Test
    void acquiringNoShardsIsLegal() {
        open(queue);

        assertThat(acquire(Set.of(), node, NOW, UNTIL)).isEmpty();
        assertThat(leases().view(queue).leases()).allMatch(lease -> lease.owner() == null);
    }

    @Test
    void shardsThatTheQueueDoesNotHaveAreNotAcquired() {
        open(queue);

        assertThat(acquire(Set.of(7, 8, 99), node, NOW, UNTIL)).containsExactly(7);
        assertThat(leases().view(queue).leases()).hasSize(SHARDS);
    }

    @Test
    void aShardThatAnotherNodeHoldsIsNotAcquired() {
        open(queue);
        acquire(Set.of(1, 2), otherNode, NOW, UNTIL);
        Lease held = lease(1);

        assertThat(acquire(Set.of(1, 2, 3), node, NOW, LONGER)).containsExactly(3);

        assertThat(lease(1)).isEqualTo(held);
    }

    @Test
    void aLeaseHoldsUntilItsEndAndNotAMicrosecondLonger() {
        open(queue);
        acquire(Set.of(1), otherNode, NOW, UNTIL);
        long before = lease(1).epoch();

        assertThat(acquire(Set.of(1), node, UNTIL.minus(TICK), LONGER)).isEmpty();
        assertThat(acquire(Set.of(1), node, UNTIL, LONGER)).isEmpty();
        assertThat(lease(1)).isEqualTo(new Lease(1, otherNode, before, UNTIL));

        assertThat(acquire(Set.of(1), node, UNTIL.plus(TICK), LONGER)).containsExactly(1);
        assertThat(lease(1).owner()).isEqualTo(node);
        assertThat(lease(1).until()).isEqualTo(LONGER);
        assertThat(lease(1).epoch()).isGreaterThan(before);
    }

    @Test
    void aLeaseThatEndsLaterThanAnyCanIsVoid() {
        open(queue);
        acquire(Set.of(1), otherNode, NOW, NOW.plus(ShardLeases.FURTHEST));
        acquire(Set.of(2), otherNode, NOW, NOW.plus(ShardLeases.FURTHEST).plus(TICK));

        assertThat(acquire(Set.of(1, 2), node, NOW, UNTIL)).containsExactly(2);

        assertThat(lease(1).owner()).isEqualTo(otherNode);
        assertThat(lease(1).isHeld(NOW)).isTrue();
        assertThat(lease(2).until()).isEqualTo(UNTIL);
    }

    @Test
    void aNodeAcquiresAShardThatItHoldsWithANewEpoch() {
        open(queue);
        acquire(Set.of(1), node, NOW, UNTIL);
        long before = lease(1).epoch();

        assertThat(acquire(Set.of(1), node, NOW.plusSeconds(1), LONGER)).containsExactly(1);

        assertThat(lease(1).until()).isEqualTo(LONGER);
        assertThat(lease(1).epoch()).isGreaterThan(before);
    }

    @Test
    void aNodeAcquiresItsShardAgainAfterItsLeaseHasEnded() {
        open(queue);
        acquire(Set.of(1), node, NOW, UNTIL);

        assertThat(acquire(Set.of(1), node, UNTIL.plus(TICK), LONGER)).containsExactly(1);
        assertThat(lease(1).until()).isEqualTo(LONGER);
    }

    @Test
    void aRenewedLeaseIsNotAcquiredAtItsFormerEnd() {
        open(queue);
        acquire(Set.of(1), otherNode, NOW, UNTIL);
        leases().renew(otherNode, LONGER);

        assertThat(acquire(Set.of(1), node, UNTIL.plus(TICK), LONGER)).isEmpty();
        assertThat(acquire(Set.of(1), node, LONGER.plus(TICK), LONGER.plusSeconds(9)))
                .containsExactly(1);
    }

    @Test
    void theEpochGrowsWithEachOwner() {
        open(queue);
        long last = lease(0).epoch();
        for (int i = 0; i < 4; i++) {
            Instant at = NOW.plusSeconds(60L * i);
            acquire(Set.of(0), i % 2 == 0 ? node : otherNode, at, at.plusSeconds(1));

            assertThat(lease(0).epoch()).isGreaterThan(last);
            last = lease(0).epoch();
        }
    }

    @Test
    void nodesThatRaceForFreeShardsGetDisjointOnes() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String raced = unique("q");
            open(raced);

            List<Set<Integer>> given = Race.of(i -> () -> leases().acquire(raced, ALL, node + i, NOW, UNTIL));

            areDisjointAndOwned(raced, given);
        }
    }

    @Test
    void nodesThatRaceForLapsedShardsGetDisjointOnes() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String raced = unique("q");
            open(raced);
            leases().acquire(raced, ALL, otherNode, NOW, UNTIL);

            List<Set<Integer>> given =
                    Race.of(i -> () -> leases().acquire(raced, ALL, node + i, UNTIL.plus(TICK), LONGER));

            areDisjointAndOwned(raced, given);
        }
    }

    @Test
    void aRenewalAndATakeoverAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String raced = unique("q");
            String former = unique("node");
            open(raced);
            leases().acquire(raced, Set.of(0), former, NOW, UNTIL);

            List<Boolean> owns = Race.between(List.of(
                    () -> leases().renew(former, LONGER) == 1,
                    () -> !leases().acquire(raced, Set.of(0), node, UNTIL.plus(TICK), LONGER)
                            .isEmpty()));

            assertThat(owns).containsExactlyInAnyOrder(true, false);
            assertThat(leases().view(raced).leases().get(0).owner()).isEqualTo(owns.get(0) ? former : node);
        }
    }

    private void areDisjointAndOwned(String raced, List<Set<Integer>> given) {
        List<Integer> all = new ArrayList<>();
        given.forEach(all::addAll);
        assertThat(all).containsExactlyInAnyOrderElementsOf(ALL);
        List<Lease> view = leases().view(raced).leases();
        for (int i = 0; i < given.size(); i++) {
            String owner = node + i;
            assertThat(view)
                    .filteredOn(lease -> Objects.equals(lease.owner(), owner))
                    .extracting(Lease::shard)
                    .containsExactlyInAnyOrderElementsOf(given.get(i));
        }
    }

    private ShardLeases leases() {
        return store().leases();
    }

    private void open(String name) {
        assertThat(leases().open(name, OptionalInt.of(SHARDS))).isEqualTo(SHARDS);
        assertThat(leases().view(name).leases())
                .extracting(Lease::shard)
                .containsExactlyElementsOf(IntStream.range(0, SHARDS).boxed().toList());
    }

    private Set<Integer> acquire(Set<Integer> shards, String owner, Instant now, Instant until) {
        return leases().acquire(queue, shards, owner, now, until);
    }

    private Lease lease(int shard) {
        return leases().view(queue).leases().get(shard);
    }
}
