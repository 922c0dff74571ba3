package dev.duetime.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Fault;
import dev.duetime.testkit.simulation.run.History;
import dev.duetime.todo.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that run todos through all kinds of faults, seed by seed. */
class TodoSimulationTest {
    private final TodoSimulation simulation =
            new TodoSimulation(() -> new InMemoryScheduleStore(new TestClock()), true, Fault.usual());

    private void runAll(long first, int count) {
        String only = System.getProperty(Simulation.SEED_PROPERTY, "");
        if (!only.isBlank()) {
            simulation.run(Long.parseLong(only));
            return;
        }
        LongStream.range(first, first + count).parallel().forEach(simulation::run);
    }

    /** {@code -Dduetime.simulation.todos} sets another number. */
    @Test
    void everyInvariantHoldsForTwentyFiveSeeds() {
        runAll(0, Integer.getInteger("duetime.simulation.todos", 25));
    }

    @Tag("full")
    @Test
    void everyInvariantHoldsForMoreSeeds() {
        runAll(25, 125);
    }

    @Tag("new-seeds")
    @Test
    void everyInvariantHoldsForNewSeeds() {
        runAll(new Random().nextInt(Integer.MAX_VALUE), Integer.getInteger("duetime.simulation.todos", 200));
    }

    /**
     * In the first, a todo waited for itself. In the second, a deadline passed while its attempt was counted. In the
     * third, a former owner wrote its failure just before that.
     */
    @Test
    void everyInvariantHoldsForSeedsThatOnceFailed() {
        runAll(77001005869L, 1);
        runAll(77001002991L, 1);
        runAll(88002008290L, 1);
    }

    /** Other faults would hide the effect of held rows. */
    @Test
    void everyInvariantHoldsWithFewFaults() {
        TodoSimulation withFewFaults = new TodoSimulation(
                () -> new InMemoryScheduleStore(new TestClock()), true, Fault.CRASH, Fault.LOST_REPLY, Fault.HELD_ROW);
        LongStream.range(0, 30).parallel().forEach(withFewFaults::run);
    }

    @Test
    void oneSeedGivesOneHistory() {
        for (long seed = 0; seed < 4; seed++) {
            assertThat(simulation.run(seed).lines())
                    .isEqualTo(simulation.run(seed).lines());
        }
    }

    @Test
    void withoutFaultsNothingRunsTwice() {
        TodoSimulation calm = new TodoSimulation(() -> new InMemoryScheduleStore(new TestClock()), true);
        for (long seed = 0; seed < 8; seed++) {
            assertThat(completed(calm.run(seed))).isNotEmpty().doesNotHaveDuplicates();
        }
    }

    /** Returns the ids in all completed runs, except those of chains, which may be cancelled and enqueued again. */
    private static List<String> completed(History history) {
        List<String> ids = new ArrayList<>();
        history.events().forEach(event -> {
            if (event.fact() instanceof Event.Finished run && run.outcome() == Outcome.complete()) {
                Work.of(run.todo()).ids().stream()
                        .filter(id -> !id.startsWith(Work.CHAIN))
                        .forEach(ids::add);
            }
        });
        return ids;
    }

    @Test
    void everyPossibleEventHappensInSomeSeed() {
        List<String> possible = List.of(
                "CRASHED",
                "CLOSED",
                "PAUSED",
                "HUNG",
                "Began",
                "failed",
                "Next",
                "Again",
                "Complete",
                "GiveUp",
                "CREATED",
                "MERGED",
                "UNCHANGED",
                "CANCELLED",
                "REACHED",
                "EXPIRED",
                "DEAD",
                "enqueued by a handler",
                "second attempt",
                "Advanced",
                "Retried",
                "Deleted",
                "overtaken");
        Set<String> seen = new TreeSet<>();
        for (long seed = 0; seed < 60 && !seen.containsAll(possible); seed++) {
            simulation.run(seed).events().forEach(event -> see(event.fact(), seen));
        }
        assertThat(seen).containsAll(possible);
    }

    private static void see(Event.Fact fact, Set<String> seen) {
        if (fact instanceof Event.Life life) {
            seen.add(life.what().name());
        } else if (fact instanceof Event.Began began) {
            StoredTimer todo = began.todo();
            seen.add(todo.attempt() > 0 ? "second attempt" : "Began");
        } else if (fact instanceof Event.Finished run) {
            Outcome outcome = run.outcome();
            seen.add(outcome == null ? "failed" : outcome.getClass().getSimpleName());
            if (!run.scheduled().isEmpty()) {
                seen.add("enqueued by a handler");
            }
        } else if (fact instanceof Event.UserScheduled told && told.result() != null) {
            seen.add(told.result().outcome().name());
        } else if (fact instanceof Event.Cancelled cancelled) {
            seen.add(cancelled.result().name());
        } else if (fact instanceof Event.Settled settled) {
            seen.add(settled.count() < settled.settlements().size() ? "overtaken" : "settled");
            settled.settlements()
                    .forEach(each -> seen.add(
                            each instanceof Settlement.Ended ended
                                    ? ended.state().name()
                                    : each.getClass().getSimpleName()));
        }
    }
}
