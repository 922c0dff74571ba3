package dev.duetime.testkit.simulation;

import dev.duetime.Beta;
import dev.duetime.RateLimit;
import dev.duetime.SchedulerBuilder;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.simulation.invariant.Invariants;
import dev.duetime.testkit.simulation.invariant.Violation;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Fault;
import dev.duetime.testkit.simulation.run.History;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A test run of a cluster of real schedulers through all kinds of faults, in virtual time and one thread. It checks
 * what must hold in spite of them. All randomness comes from the seed: one seed is one history, event by event.
 *
 * <p>A run has four phases:
 *
 * <ol>
 *   <li>Faults. Nodes crash, hang, pause, close, come back and join. Calls to the store fail before or after they are
 *       done. Wall clocks jump, and the store's clock if that is asked for. The publisher refuses, or accepts and then
 *       throws. Users schedule, reschedule, cancel and re-arm the same few keys. All of this can also happen between a
 *       node's read, its publish and its settle.
 *   <li>Recovery. All faults end.
 *   <li>Calm. Users continue without faults.
 *   <li>The end. The run continues until nothing is left to be delivered.
 * </ol>
 *
 * <p>A class for each of these rules checks it:
 *
 * <ul>
 *   <li>Nothing is lost: in the end no timer is scheduled, and no timer was reached that the publisher had not accepted
 *       before.
 *   <li>A recurring timer skips only missed occurrences, and only those that its catch-up skips. Each occurrence names
 *       the one that was delivered before it.
 *   <li>Nothing is early, by the true time.
 *   <li>Repeats are excused: at most one delivery of a generation may have no excuse. An excuse is a fault
 *       that hit this delivery before it was settled: its process was killed; its lease ended and another node took the
 *       shard; its publisher accepted and threw; its process was closed while the store took no outcomes.
 *   <li>After the end of a timer only deliveries in flight arrive, and never from a node that returned
 *       {@code CANCELLED}.
 *   <li>A node asks only for shards whose lease it holds, and begins to publish only while it holds them.
 *   <li>Attempts are counted, and only deliveries and takeovers spend them.
 *   <li>The store answers as a simple sequential model does, and users get the answers of the store.
 *   <li>Each generation has one envelope id.
 *   <li>With limits nobody starves: in calm others have few turns while a tenant waits. With a steady backlog nine
 *       tenths of what a rate allows begin.
 *   <li>In calm nothing is late: a timer that was scheduled on the owner of its shard is delivered at its time, any
 *       other one at most a second later, by a hint; if hints get lost, at most a polling interval later.
 * </ul>
 *
 * <p>A run that fails throws an {@link AssertionError} that names the seed. Immutable and thread-safe, if the suppliers
 * are.
 */
@Beta
public final class Simulation {
    /** The system property that names the one seed to run: {@value}. */
    public static final String SEED_PROPERTY = History.SEED_PROPERTY;

    private final Builder given;

    private Simulation(Builder given) {
        this.given = given;
    }

    /** Begins to set up a simulation. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Runs one seed.
     *
     * @return what happened
     * @throws AssertionError if an invariant does not hold, or if anything but the simulated faults was thrown
     */
    public History run(long seed) {
        World world = new World(given, seed);
        try {
            world.run();
            new Invariants(world.scenario, hasHints(world.store), given.steadyBacklog).check(world.history);
        } catch (Violation e) {
            throw new AssertionError(Invariants.report(world.history, e), e);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Invariants.report(world.history, new Violation(null, e.toString())), e);
        }
        return world.history;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean hasHints(ScheduleStore store) {
        return store.wakeUps() != WakeUps.NONE;
    }

    /**
     * Runs {@code count} seeds from {@code first} on; if the system property {@value #SEED_PROPERTY} is set, that one
     * only.
     *
     * @throws AssertionError at the first seed that fails
     */
    public void runAll(long first, int count) {
        String only = System.getProperty(SEED_PROPERTY, "");
        if (!only.isBlank()) {
            run(Long.parseLong(only));
            return;
        }
        for (int i = 0; i < count; i++) {
            run(first + i);
        }
    }

    /** A builder of a {@link Simulation}. Not thread-safe. */
    public static final class Builder {
        private static final int MOST_NODES = 16;
        private static final int MOST_KEYS = 1_000;
        private static final int MOST_CALLS = 16;

        final Set<Fault> faults = EnumSet.copyOf(Arrays.asList(Fault.usual()));
        Supplier<ScheduleStore> store = () -> new InMemoryScheduleStore(new TestClock());
        Consumer<SchedulerBuilder> settings = builder -> {};
        int nodes = 4;
        int keys = 8;
        Duration duration = Duration.ofSeconds(30);
        Duration calm = Duration.ofSeconds(10);
        double rate = 0.02;
        int concurrency = 1;
        ClusterLimits limits = ClusterLimits.NONE;
        int parallelKeyLimit = 1;

        /** Whether nodes publish the timers of the default queue. If not, handlers run them. */
        boolean publishes = true;

        /** Whether one tenant schedules many timers at once. */
        boolean noisyTenant;

        /** Whether there is a backlog during the calm. */
        boolean steadyBacklog;

        /** The number of shards; if absent, the seed decides. */
        @Nullable
        Integer shards;

        private Builder() {}

        /**
         * Sets where each run gets an empty store from; a new {@link InMemoryScheduleStore} by default. The simulation
         * is its clock. It is called from one thread at a time.
         */
        public Builder store(Supplier<ScheduleStore> store) {
            this.store = store;
            return this;
        }

        /** Adds settings of all nodes' schedulers. Store, publisher, time and node ids stay the simulation's. */
        public Builder configure(Consumer<SchedulerBuilder> more) {
            settings = settings.andThen(more);
            return this;
        }

        /**
         * Sets how many nodes there may be at a time; 4 by default, 1 to 16. Each run has some number up to it.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder nodes(int most) {
            nodes = between("nodes", most, MOST_NODES);
            return this;
        }

        /**
         * Sets how many keys the users have; 8 by default, 1 to 1,000. With few keys, calls for the same key happen
         * more often. Each run has some number up to it.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder keys(int most) {
            keys = between("keys", most, MOST_KEYS);
            return this;
        }

        /**
         * Sets how long faults happen, in virtual time; 30 s by default.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder duration(Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("duration must be at least PT0S but was " + duration);
            }
            this.duration = duration;
            return this;
        }

        /**
         * Sets how probable each fault is at each opportunity, on average; 0.02 by default, 0 to 0.5. Each run has a
         * rate of its own around it.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder rate(double rate) {
            if (!(rate >= 0 && rate <= 0.5)) {
                throw new IllegalArgumentException("rate must be between 0 and 0.5 but was " + rate);
            }
            this.rate = rate;
            return this;
        }

        /**
         * Sets how many calls of the publisher each node makes at once; 1 by default, 1 to 16.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder concurrency(int calls) {
            concurrency = between("concurrency", calls, MOST_CALLS);
            return this;
        }

        /**
         * Sets the limits of all nodes together; none by default. Timers that a publisher fails count each time that it
         * is called, and a paused process is beyond its share: leave {@link Fault#PUBLISHER_FAILURE}, {@link
         * Fault#PAUSE} and {@link Fault#HANG} out.
         *
         * @param concurrency how many timers are in calls of publishers at once; 0 for any number
         * @param rate how many begin in a time; null for any number
         */
        public Builder limits(int concurrency, @Nullable RateLimit rate) {
            return limits(new ClusterLimits(concurrency, rate, null, 0, null));
        }

        /** Sets the limits of all nodes together, also those of tenants and of a type. */
        public Builder limits(ClusterLimits limits) {
            this.limits = limits;
            return this;
        }

        /**
         * Lets the users schedule a backlog on all nodes when the calm begins, and nothing else in it. Then what the
         * rates allow must begin, although other nodes may change the ledgers of limits while a node changes them.
         *
         * @param calm how long the calm lasts
         */
        public Builder steadyBacklog(Duration calm) {
            steadyBacklog = true;
            this.calm = calm;
            return this;
        }

        /**
         * Sets how many calls of a process may hold timers of one parallel key at once; 1 by default, 1 to 16.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder parallelKeyLimit(int calls) {
            parallelKeyLimit = between("parallelKeyLimit", calls, MOST_CALLS);
            return this;
        }

        /**
         * Lets one tenant schedule many timers at once, now and then, while the users of other tenants act. Needs a
         * concurrency above 1, so that there are several tenants.
         */
        public Builder noisyTenant() {
            noisyTenant = true;
            return this;
        }

        /** Sets which faults happen; {@link Fault#usual} by default. Each run has some of them. */
        public Builder faults(Fault... which) {
            faults.clear();
            faults.addAll(Arrays.asList(which));
            return this;
        }

        /** Returns the simulation; the builder may be used on. */
        public Simulation build() {
            Builder copy = new Builder().store(store).configure(settings).duration(duration);
            copy.nodes = nodes;
            copy.keys = keys;
            copy.rate = rate;
            copy.calm = calm;
            copy.concurrency = concurrency;
            copy.limits = limits;
            copy.steadyBacklog = steadyBacklog;
            copy.parallelKeyLimit = parallelKeyLimit;
            copy.noisyTenant = noisyTenant;
            copy.faults.clear();
            copy.faults.addAll(faults);
            return new Simulation(copy);
        }

        /**
         * Returns how long the cluster needs at most to recover after the last fault: a clock that a slow reply has set
         * must be corrected, leases must end, and retries and polls must come.
         */
        Duration recovery(Scenario scenario) {
            return Duration.ofSeconds(65)
                    .plus(scenario.lease().multipliedBy(2))
                    .plus(scenario.poll())
                    .plus(Scenario.LONGEST_RETRY);
        }

        private static int between(String name, int value, int most) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(
                        "%s must be between 1 and %d but was %d".formatted(name, most, value));
            }
            return value;
        }
    }
}
