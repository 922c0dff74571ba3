package dev.duetime.testkit.simulation;

import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Fault;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs of the simulation in which all nodes together have limits. */
class SimulationLimitTest {
    private static final int SEEDS = Integer.getInteger("duetime.simulation.seeds", 16);
    private static final int MORE_SEEDS = 40;

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
        LongStream.range(0, 4).parallel().forEach(part -> simulation.runAll(part * MORE_SEEDS, each));
    }

    @Test
    void theSumOfRunningTimersIsWithinTheLimit() {
        runAll(withConcurrency());
    }

    private static Simulation withConcurrency() {
        return simulation().concurrency(3).limits(2, null).build();
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
        withTenantRates().forEach(SimulationLimitTest::runAll);
    }

    private static List<Simulation> withTenantRates() {
        return Stream.of(RateLimit.perSecond(8).burst(3), RateLimit.perSecond(6).burst(10))
                .map(rate -> simulation()
                        .concurrency(3)
                        .limits(new ClusterLimits(0, null, rate, 0, null))
                        .build())
                .toList();
    }

    /** A loop was closed during a read, and then released the shards of calls that still ran. */
    @Test
    void everyInvariantHoldsForASeedThatOnceFailed() {
        withRate().run(208);
    }

    @Test
    void bothLimitsHoldTogether() {
        runAll(withBoth());
    }

    private static Simulation withBoth() {
        return simulation().limits(3, RateLimit.perSecond(5).burst(2)).build();
    }

    /** The reads that pass over what waits for its limit are made in parts. */
    @Test
    void everyInvariantHoldsIfLongReadsAreCancelled() {
        withCancelledReads().forEach(SimulationLimitTest::runAll);
    }

    private static List<Simulation> withCancelledReads() {
        ClusterLimits ofTypes =
                new ClusterLimits(0, null, null, 2, RateLimit.perSecond(6).burst(3));
        ClusterLimits ofTenants =
                new ClusterLimits(0, null, RateLimit.perSecond(6).burst(10), 0, null);
        return Stream.of(1, 3)
                .flatMap(concurrency -> Stream.of(ofTypes, ofTenants)
                        .map(limits -> simulation()
                                .faults(
                                        Fault.CRASH,
                                        Fault.CLOSE,
                                        Fault.LOST_REPLY,
                                        Fault.HELD_ROW,
                                        Fault.CANCELLED_READ)
                                .concurrency(concurrency)
                                .limits(limits)
                                .build()))
                .toList();
    }

    @Test
    void nobodyStarvesBesideANoisyTenant() {
        withNoisyTenant().forEach(SimulationLimitTest::runAll);
    }

    private static List<Simulation> withNoisyTenant() {
        return Stream.of(0, 2)
                .map(most -> simulation()
                        .concurrency(3)
                        .noisyTenant()
                        .limits(most, RateLimit.perSecond(10).burst(3 - most / 2))
                        .build())
                .toList();
    }

    @Test
    @Tag("full")
    void theLimitsHoldForMoreSeeds() {
        Stream.of(
                        List.of(withConcurrency(), withRate(), withBoth()),
                        withTenantRates(),
                        withCancelledReads(),
                        withNoisyTenant())
                .flatMap(List::stream)
                .forEach(each -> runAll(each, MORE_SEEDS / 4));
    }

    /** Runs a few seeds only, because a calm in which slow rates show themselves is long. */
    private static void runSteady(int each, ClusterLimits limits) {
        Simulation steady = Simulation.builder()
                .keys(30)
                .nodes(5)
                .concurrency(3)
                .faults(Fault.CRASH, Fault.CLOSE, Fault.STORE_FAILURE, Fault.LOST_REPLY, Fault.CLOCK_JUMP)
                .limits(limits)
                .steadyBacklog(Duration.ofMinutes(6))
                .build();
        runAll(steady, each);
    }

    @Test
    void nineTenthsOfASlowRateBegin() {
        runSteady(1, new ClusterLimits(0, RateLimit.of(1, Duration.ofSeconds(30)), null, 0, null));
        runSteady(1, new ClusterLimits(0, RateLimit.perMinute(30).burst(3), null, 0, null));
    }

    @Test
    @Tag("full")
    void nineTenthsOfTheRateOfEachTenantBegin() {
        runSteady(2, new ClusterLimits(0, null, RateLimit.perMinute(10).burst(1), 0, null));
        runSteady(2, new ClusterLimits(0, null, RateLimit.perMinute(20).burst(4), 0, null));
    }

    @Test
    @Tag("full")
    void mostOfTheRateOfATypeBegins() {
        runSteady(2, new ClusterLimits(0, null, null, 1, RateLimit.perMinute(12).burst(2)));
    }

    @Test
    @Tag("full")
    void aTypeGetsItsPartBesideTheRateOfTheQueue() {
        runSteady(
                2,
                new ClusterLimits(
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
                        .runAll(part * MORE_SEEDS, SEEDS / 4));
    }
}
