package dev.duetime.testkit.simulation;

import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Fault;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs of the simulation in which all nodes together have limits. */
class SimulationLimitTest {
    private static final int SEEDS = Integer.getInteger("duetime.simulation.seeds", 40);

    private static Simulation.Builder simulation() {
        return Simulation.builder()
                .keys(30)
                .faults(
                        Fault.CRASH,
                        Fault.CLOSE,
                        Fault.STORE_FAILURE,
                        Fault.LOST_REPLY,
                        Fault.CLOCK_JUMP,
                        Fault.HELD_ROW,
                        Fault.LOST_HINT);
    }

    private static void runAll(Simulation simulation) {
        runAll(simulation, SEEDS / 4);
    }

    private static void runAll(Simulation simulation, int each) {
        LongStream.range(0, 4).parallel().forEach(part -> simulation.runAll(part * SEEDS, each));
    }

    @Test
    void theSumOfRunningTimersIsWithinTheLimit() {
        runAll(simulation().concurrency(3).limits(2, null).build());
    }

    private static Simulation withRate() {
        return simulation()
                .concurrency(3)
                .limits(0, RateLimit.perSecond(4).burst(3))
                .build();
    }

    @Test
    void theRateIsWithinTheLimitInEachWindow() {
        runAll(withRate());
    }

    /** The burst is smaller than the number of nodes, or larger: units of tenants move in both cases. */
    @Test
    void theRateOfEachTenantIsWithinTheLimitInEachWindow() {
        runAll(withTenantRate(RateLimit.perSecond(8).burst(3)));
        runAll(withTenantRate(RateLimit.perSecond(6).burst(10)));
    }

    private static Simulation withTenantRate(RateLimit rate) {
        return simulation()
                .concurrency(3)
                .limits(new ClusterLimits(0, null, rate, 0, null))
                .build();
    }

    /** A loop was closed during a read, and then released the shards of calls that still ran. */
    @Test
    void everyInvariantHoldsForASeedThatOnceFailed() {
        withRate().run(208);
    }

    @Test
    void bothLimitsHoldTogether() {
        runAll(simulation().limits(3, RateLimit.perSecond(5).burst(2)).build());
    }

    /** The reads that pass over what waits for its limit are made in parts. */
    @Test
    void everyInvariantHoldsIfLongReadsAreCancelled() {
        ClusterLimits ofTypes =
                new ClusterLimits(0, null, null, 2, RateLimit.perSecond(6).burst(3));
        ClusterLimits ofTenants =
                new ClusterLimits(0, null, RateLimit.perSecond(6).burst(10), 0, null);
        for (int concurrency : List.of(1, 3)) {
            runAll(withCancelledReads().concurrency(concurrency).limits(ofTypes).build());
            runAll(withCancelledReads()
                    .concurrency(concurrency)
                    .limits(ofTenants)
                    .build());
        }
    }

    private static Simulation.Builder withCancelledReads() {
        return simulation().faults(Fault.CRASH, Fault.CLOSE, Fault.LOST_REPLY, Fault.HELD_ROW, Fault.CANCELLED_READ);
    }

    @Test
    void nobodyStarvesBesideANoisyTenant() {
        runAll(noisy().limits(0, RateLimit.perSecond(10).burst(3)).build());
        runAll(noisy().limits(2, RateLimit.perSecond(10).burst(2)).build());
    }

    private static Simulation.Builder noisy() {
        return simulation().concurrency(3).noisyTenant();
    }

    /** Runs a few seeds only, because a calm in which slow rates show themselves is long. */
    private static void runSteady(ClusterLimits limits) {
        Simulation steady = Simulation.builder()
                .keys(30)
                .nodes(5)
                .concurrency(3)
                .faults(Fault.CRASH, Fault.CLOSE, Fault.STORE_FAILURE, Fault.LOST_REPLY, Fault.CLOCK_JUMP)
                .limits(limits)
                .steadyBacklog(Duration.ofMinutes(6))
                .build();
        runAll(steady, SEEDS / 20);
    }

    @Test
    void nineTenthsOfASlowRateBegin() {
        runSteady(new ClusterLimits(0, RateLimit.of(1, Duration.ofSeconds(30)), null, 0, null));
        runSteady(new ClusterLimits(0, RateLimit.perMinute(30).burst(3), null, 0, null));
    }

    @Test
    @Tag("full")
    void nineTenthsOfTheRateOfEachTenantBegin() {
        runSteady(new ClusterLimits(0, null, RateLimit.perMinute(10).burst(1), 0, null));
        runSteady(new ClusterLimits(0, null, RateLimit.perMinute(20).burst(4), 0, null));
    }

    @Test
    @Tag("full")
    void mostOfTheRateOfATypeBegins() {
        runSteady(new ClusterLimits(0, null, null, 1, RateLimit.perMinute(12).burst(2)));
    }

    @Test
    @Tag("full")
    void aTypeGetsItsPartBesideTheRateOfTheQueue() {
        runSteady(new ClusterLimits(
                0,
                RateLimit.perMinute(20).burst(1),
                null,
                0,
                RateLimit.perMinute(6).burst(1)));
    }

    @Test
    void noMoreCallsHoldAParallelKeyThanTheLimitAllows() {
        LongStream.range(0, 4)
                .parallel()
                .forEach(part -> Simulation.builder()
                        .keys(30)
                        .concurrency(4)
                        .parallelKeyLimit(2 + (int) part % 2)
                        .build()
                        .runAll(part * SEEDS, SEEDS / 4));
    }
}
