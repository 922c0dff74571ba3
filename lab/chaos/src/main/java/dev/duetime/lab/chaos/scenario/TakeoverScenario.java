package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.log.Measures.Takeover;
import dev.duetime.lab.chaos.server.Commands;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario that kills one node after the other, and waits each time until other nodes deliver the timers of its
 * shards.
 */
final class TakeoverScenario implements Scenario {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration AFTERWARDS = Duration.ofSeconds(2);

    /** A lease and one polling interval; with a lease shorter than the default, a lease and half of it. */
    private static Duration bound(Arguments.Load load) {
        return load.lease()
                .plus(load.hasDefaultLease() ? POLL_INTERVAL : load.lease().dividedBy(2));
    }

    private final boolean prolongs;

    /**
     * Creates it.
     *
     * @param prolongs whether the leases of a killed node end in 2030, as if its clock had been wrong
     */
    TakeoverScenario(boolean prolongs) {
        this.prolongs = prolongs;
    }

    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / load.nodes();
    }

    @Override
    public void run(Trial trial) throws SQLException {
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        do {
            int place = trial.cluster.randomPlace(trial.random);
            trial.log.append(KillNode.kill(trial, trial.cluster.node(place)));
            trial.say("killed " + trial.cluster.node(place).name());
            if (prolongs) {
                int leases =
                        trial.scratch.prolongLeases(trial.cluster.node(place).name());
                trial.say("%d of its leases end in 2030".formatted(leases));
            }
            Commands.pause(bound(trial.load).plus(AFTERWARDS));
            trial.cluster.restart(place);
            trial.awaitBalance();
            Commands.pause(AFTERWARDS);
        } while (System.nanoTime() < end);
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        List<Claim> claims = new ArrayList<>();
        for (Takeover each : measures.takeovers()) {
            claims.add(Claim.atMost(
                    "takeover of the %d shards of %s, first after %d ms, last"
                            .formatted(each.shards(), each.node(), each.firstMillis()),
                    each.lastMillis(),
                    bound(load).toMillis(),
                    "ms"));
        }
        return claims;
    }
}
