package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A scenario in which 1, 2 and 4 nodes on one database deliver timers that become due at once. All runs have the same
 * total number of threads.
 */
final class NodesScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 120;
    private static final Duration SHARING = Duration.ofMinutes(1);
    private static final String NODES = "-nodes";

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return List.of(1 + NODES, 2 + NODES, 4 + NODES);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        int nodes = Integer.parseInt(trial.variant().replace(NODES, ""));
        int count = trial.type().affordable(trial.arguments().timersOr(TIMERS));
        Deliveries deliveries = Deliveries.counted();
        List<Contestant> contestants = trial.open(deliveries, !trial.type().can(false), nodes);
        trial.settle();
        for (Contestant contestant : contestants) {
            contestant.start();
        }
        awaitReady(contestants);
        Instant from = Instant.now().plus(trial.loadTime(count));
        trial.load(contestants.get(0), Entry.list(count, from, Duration.ZERO));
        Duration left = Duration.between(Instant.now(), from);
        if (left.isNegative()) {
            System.err.printf(
                    "%s: the load took %s too long, which slows delivery%n",
                    trial.type().label(), left);
        }
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        trial.measured("per_second", Firing.perSecond(deliveries, contestants, count, left.plus(limit)));
    }

    private static void awaitReady(List<Contestant> contestants) throws Exception {
        long end = System.nanoTime() + SHARING.toNanos();
        while (!contestants.get(0).isReady(contestants.size())) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the nodes did not share the work out within " + SHARING);
            }
            Thread.sleep(10);
        }
    }
}
