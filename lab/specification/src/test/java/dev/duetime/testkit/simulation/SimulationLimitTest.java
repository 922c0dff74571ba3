package dev.duetime.testkit.simulation;

import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.Fault;
import java.util.stream.LongStream;
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
        LongStream.range(0, 4).parallel().forEach(part -> simulation.runAll(part * SEEDS, SEEDS / 4));
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

    /** A loop was closed during a read, and then released the shards of calls that still ran. */
    @Test
    void everyInvariantHoldsForASeedThatOnceFailed() {
        withRate().run(208);
    }

    @Test
    void bothLimitsHoldTogether() {
        runAll(simulation().limits(3, RateLimit.perSecond(5).burst(2)).build());
    }

    @Test
    void nobodyStarvesBesideANoisyTenant() {
        runAll(noisy().limits(0, RateLimit.perSecond(10).burst(3)).build());
        runAll(noisy().limits(2, RateLimit.perSecond(10).burst(2)).build());
    }

    private static Simulation.Builder noisy() {
        return simulation().concurrency(3).noisyTenant();
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
