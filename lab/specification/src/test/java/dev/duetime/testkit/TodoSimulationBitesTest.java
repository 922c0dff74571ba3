package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.duetime.ScheduleResult;
import dev.duetime.engine.settings.TimerMerge.Decision;
import dev.duetime.store.Correlated;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.simulation.TodoSimulation;
import dev.duetime.testkit.simulation.run.Fault;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the simulation of todos finds errors of wrong stores, although it does not read the store. */
class TodoSimulationBitesTest {
    private static final int SEEDS = 60;

    record Broken(String defect, Function<InMemoryScheduleStore, ScheduleStore> breaking, String noticed) {
        @Override
        public String toString() {
            return defect;
        }
    }

    static List<Broken> stores() {
        return List.of(
                new Broken(
                        "a step is written in place",
                        BrokenMerges.advances(BrokenMerges::inPlace),
                        "is not durable|which it had moved on itself"),
                new Broken(
                        "a step forgets its payload",
                        BrokenMerges.advances(BrokenMerges::withoutPayload),
                        "is not durable"),
                new Broken("merges are acknowledged and lost", LosesMerges::new, "which it had moved on itself"),
                new Broken("cancelled or moved todos run again", StaysDue::new, "which it had moved on itself"),
                new Broken(
                        "outcomes and enqueued todos commit separately",
                        BrokenMerges.CommitsAtOnce::new,
                        "is not durable|a locked timer was changed"),
                new Broken("ends are acknowledged and lost", NeverEnds::new, "which it had moved on itself"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aBrokenStoreIsNoticed(Broken store) {
        TodoSimulation simulation = new TodoSimulation(
                () -> store.breaking().apply(new InMemoryScheduleStore(new TestClock())), false, Fault.usual());
        assertIsNoticed(simulation, store.noticed());
    }

    @Test
    void aMergeThatDropsIsNoticed() {
        TodoSimulation simulation = new TodoSimulation(
                () -> new InMemoryScheduleStore(new TestClock()), true, (waiting, arriving) -> new Decision.Drop());
        assertIsNoticed(simulation, "was acknowledged but is in no todo that has ended");
    }

    private static void assertIsNoticed(TodoSimulation simulation, String noticed) {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                simulation.run(seed);
            } catch (AssertionError e) {
                assertThat(e)
                        .hasMessageStartingWith("seed " + seed + ": ")
                        .hasMessageFindingMatch(noticed)
                        .hasMessageContaining("replay with -Dduetime.simulation.seed=" + seed);
                System.out.println(noticed + ": seen with seed " + seed);
                return;
            }
        }
        fail("%d seeds have not noticed: %s", SEEDS, noticed);
    }

    /** A store that reports merges as written without writing them. */
    private static final class LosesMerges extends PassThroughStore {
        LosesMerges(ScheduleStore intact) {
            super(intact);
        }

        private static boolean isMerge(Settlement settlement) {
            return settlement instanceof Settlement.Advanced advanced
                    && advanced.next().content().correlationKey() != null;
        }

        @Override
        public OwnTransaction begin() {
            return new BrokenMerges.PassThroughTransaction(intact.begin()) {
                @Override
                public TimerWrites writes() {
                    TimerWrites writes = own.writes();
                    return new PassThroughStore(intact) {
                        @Override
                        public List<ScheduleResult> schedule(List<NewTimer> timers) {
                            return writes.schedule(timers);
                        }

                        @Override
                        public int settle(List<Settlement> settlements) {
                            return settlements.stream().allMatch(LosesMerges::isMerge)
                                    ? settlements.size()
                                    : writes.settle(settlements);
                        }

                        @Override
                        public Correlated correlated() {
                            return writes.correlated();
                        }
                    };
                }
            };
        }
    }

    /** A store that leaves a todo at its old step, and reports that it has moved. */
    private static final class StaysDue extends PassThroughStore {
        StaysDue(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            intact.settle(settlements.stream()
                    .filter(each -> !(each instanceof Settlement.Advanced))
                    .toList());
            return settlements.size();
        }
    }

    /** A store that reports todos as ended without ending them. */
    private static final class NeverEnds extends PassThroughStore {
        NeverEnds(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            intact.settle(settlements.stream()
                    .filter(each -> !(each instanceof Settlement.Ended) && !(each instanceof Settlement.Deleted))
                    .toList());
            return settlements.size();
        }
    }
}
