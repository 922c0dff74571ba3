package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.simulation.Simulation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the simulation finds errors of wrong stores, and within few seeds. */
class SimulationBitesTest {
    private static final int SEEDS = 100;

    record Broken(String defect, Function<ScheduleStore, ScheduleStore> breaking, String noticed) {
        @Override
        public String toString() {
            return defect;
        }
    }

    static List<Broken> stores() {
        return List.of(
                new Broken("the generation is no fence", BrokenWrites.StaleOutcomes::new, "store answers settle"),
                new Broken("outcomes are written without being counted", Unfenced::new, "store "),
                new Broken("settled is everything given", BrokenWrites.CountsAll::new, "store answers settle"),
                new Broken("other shards are read", BrokenReads.OtherShards::new, "store says that due is"),
                new Broken("ended timers are scheduled again", BrokenWrites.EndedAgain::new, "store answers schedule"),
                new Broken("schedules are acknowledged and lost", Forgetful::new, "store "),
                new Broken("cancels are acknowledged and lost", Deaf::new, "store "),
                new Broken("leases are valid however late they end", Credulous::new, "no node serves shard|is lost"));
    }

    @Test
    void everyInvariantHoldsOnAStoreOfYourOwn() {
        Simulation.builder().store(MyScheduleStore::new).build().runAll(0, 100);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aBrokenStoreIsNoticed(Broken store) {
        Simulation simulation = Simulation.builder()
                .store(() -> store.breaking().apply(new InMemoryScheduleStore(new TestClock())))
                .build();
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                simulation.run(seed);
            } catch (AssertionError e) {
                assertThat(e)
                        .hasMessageStartingWith("seed " + seed + ": ")
                        .hasMessageFindingMatch(store.noticed())
                        .hasMessageContaining("replay with -Dduetime.simulation.seed=" + seed)
                        .hasMessageContaining("last events");
                System.out.println(store + ": seen with seed " + seed);
                return;
            }
        }
        fail("%d seeds have not noticed that %s", SEEDS, store);
    }

    private static final class MyScheduleStore extends PassThroughStore {
        MyScheduleStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }
    }

    /** A store that ends a timer although the outcome is of a former generation, and does not count it. */
    private static final class Unfenced extends PassThroughStore {
        Unfenced(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            int count = intact.settle(settlements);
            settlements.forEach(each -> intact.find(each.key())
                    .filter(standing ->
                            standing.state() == TimerState.SCHEDULED && standing.generation() != each.generation())
                    .ifPresent(standing ->
                            intact.settle(List.of(new Settlement.Deleted(each.key(), standing.generation())))));
            return count;
        }
    }

    /** A store that loses every tenth schedule. */
    private static final class Forgetful extends PassThroughStore {
        private int calls;

        Forgetful(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            List<ScheduleResult> results = intact.schedule(timers);
            if (++calls % 10 == 0) {
                results.forEach(each -> intact.settle(List.of(new Settlement.Deleted(each.key(), each.generation()))));
            }
            return results;
        }
    }

    /** A store that gives away no shard whose lease has not ended, even if it ends later than any lease can. */
    private static final class Credulous extends PassThroughStore {
        Credulous(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Set<Integer> acquire(
                        String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
                    Set<Integer> free = new TreeSet<>(shards);
                    intact.view(queue).leases().stream()
                            .filter(each -> !node.equals(each.owner()) && endsLaterThanAnyCan(each, now))
                            .forEach(each -> free.remove(each.shard()));
                    return intact.acquire(queue, free, node, now, until);
                }
            };
        }

        private static boolean endsLaterThanAnyCan(ShardMap.Lease lease, Instant now) {
            return lease.until() != null && lease.until().isAfter(now.plus(ShardLeases.FURTHEST));
        }
    }

    /** A store that reports cancellations without doing them. */
    private static final class Deaf extends PassThroughStore {
        Deaf(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
            return intact.find(key)
                    .map(each -> each.state() == TimerState.SCHEDULED ? CancelResult.CANCELLED : CancelResult.TOO_LATE)
                    .orElse(CancelResult.NOT_FOUND);
        }
    }
}
