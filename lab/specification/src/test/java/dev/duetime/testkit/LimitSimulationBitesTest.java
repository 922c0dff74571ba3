package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.duetime.RateLimit;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.simulation.Simulation;
import dev.duetime.testkit.simulation.run.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the simulation of limits finds errors of wrong stores. */
class LimitSimulationBitesTest {
    private static final int SEEDS = 100;
    private static final RateLimit RATE = RateLimit.perSecond(4).burst(3);

    record Broken(String defect, UnaryOperator<ScheduleStore> breaking, Simulation.Builder simulation, String noticed) {
        @Override
        public String toString() {
            return defect;
        }
    }

    private static Simulation.Builder simulation() {
        return Simulation.builder()
                .keys(30)
                .concurrency(3)
                .faults(Fault.CRASH, Fault.CLOSE, Fault.STORE_FAILURE, Fault.LOST_REPLY, Fault.LOST_HINT);
    }

    static List<Broken> stores() {
        String tooMany = "timers are in delivery but 2 may be";
        String tooFast = "timers began beyond the rate, but 3 may at once";
        return List.of(
                new Broken(
                        "shares are not returned, with a limit",
                        Blind::new,
                        simulation().limits(2, null),
                        tooMany),
                new Broken(
                        "shares are not returned, with a rate",
                        Blind::new,
                        simulation().limits(0, RATE),
                        tooFast),
                new Broken(
                        "an old version may be changed",
                        Unfenced::new,
                        simulation().limits(2, null),
                        tooMany),
                new Broken(
                        "the time since when units are free is not kept",
                        Timeless::new,
                        simulation()
                                .limits(0, RateLimit.of(1, Duration.ofSeconds(10)))
                                .steadyBacklog(Duration.ofMinutes(3)),
                        "timers of the queue have begun, but the rate allows"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aBrokenStoreIsNoticed(Broken store) {
        Simulation simulation = store.simulation()
                .store(() -> store.breaking().apply(new InMemoryScheduleStore(new TestClock())))
                .build();
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                simulation.run(seed);
            } catch (AssertionError e) {
                assertThat(e).hasMessageStartingWith("seed " + seed + ": ").hasMessageFindingMatch(store.noticed());
                System.out.println(store + ": seen with seed " + seed);
                return;
            }
        }
        fail("%d seeds have not noticed that %s", SEEDS, store);
    }

    /** A store that shows a node no shares, so that each one takes all units. */
    private static final class Blind extends PassThroughStore {
        Blind(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Permits permits() {
            Permits permits = intact.permits();
            return new Permits() {
                @Override
                public List<Ledger> ledgers() {
                    return permits.ledgers().stream()
                            .map(each -> new Ledger(each.limit(), each.version(), each.freeSince(), List.of()))
                            .toList();
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    return permits.change(changes);
                }
            };
        }
    }

    /** A store whose free units are always empty. */
    private static final class Timeless extends PassThroughStore {
        Timeless(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Permits permits() {
            Permits permits = intact.permits();
            return new Permits() {
                @Override
                public List<Ledger> ledgers() {
                    return permits.ledgers().stream()
                            .map(each -> new Ledger(
                                    each.limit(), each.version(), Instant.parse("9999-01-01T00:00:00Z"), each.shares()))
                            .toList();
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    return permits.change(changes);
                }
            };
        }
    }

    /** A store that writes a change although another node has changed the ledger since it was read. */
    private static final class Unfenced extends PassThroughStore {
        Unfenced(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Permits permits() {
            Permits permits = intact.permits();
            return new Permits() {
                private List<Ledger> read = List.of();

                /** Every second read is an old one. */
                @Override
                public List<Ledger> ledgers() {
                    List<Ledger> before = read;
                    read = before.isEmpty() ? permits.ledgers() : List.of();
                    return before.isEmpty() ? read : before;
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    Map<Limit, Long> versions = new HashMap<>();
                    permits.ledgers().forEach(each -> versions.put(each.limit(), each.version()));
                    return permits.change(changes.stream()
                            .map(each -> new Change(
                                    each.limit(),
                                    versions.getOrDefault(each.limit(), UNWRITTEN),
                                    each.freeSince(),
                                    each.share(),
                                    each.removed()))
                            .toList());
                }
            };
        }
    }
}
