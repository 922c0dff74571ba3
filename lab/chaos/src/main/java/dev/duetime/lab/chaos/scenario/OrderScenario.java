package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.server.Commands;
import java.time.Duration;
import java.util.List;

/** A scenario that orders one node after the other to inflict a fault on itself, for some seconds each time. */
final class OrderScenario implements Scenario {
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final long MORE_MILLIS = 2_000;
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private final String order;

    /**
     * Creates it.
     *
     * @param order the first word of the order, which a duration follows
     */
    OrderScenario(String order) {
        this.order = order;
    }

    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / load.nodes();
    }

    @Override
    public void run(Trial trial) {
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
            int place = i % trial.cluster.size();
            Duration duration = SHORTEST.plusMillis(trial.random.nextLong(MORE_MILLIS));
            trial.cluster.node(place).tell(order + duration);
            trial.say("%s%s to %s"
                    .formatted(order, duration, trial.cluster.node(place).name()));
            Commands.pause(duration.plus(AFTERWARDS));
        }
    }

    /** Checks that all loops still run: each node must deliver timers once it is calm again. */
    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        return List.of();
    }
}
