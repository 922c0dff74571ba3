package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.node.Scratch;
import dev.duetime.lab.chaos.server.Commands;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A scenario in which a third session holds due rows and keys that are being scheduled, each time for some seconds. It
 * hits no node, so it explains no repeat.
 */
final class HeldRowsScenario implements Scenario {
    private static final int ROWS = 20;
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final long MORE_MILLIS = 3_000;
    private static final Duration BETWEEN = Duration.ofMillis(500);
    private static final double P90_MILLIS = 2_000;

    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / load.nodes();
    }

    @Override
    public void run(Trial trial) {
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        while (System.nanoTime() < end) {
            Duration held = SHORTEST.plusMillis(trial.random.nextLong(MORE_MILLIS));
            try {
                Connection holder = trial.scratch.hold(ROWS);
                trial.say("rows are held for %d ms".formatted(held.toMillis()));
                Commands.pause(held);
                Scratch.release(holder);
            } catch (SQLException e) {
                trial.say("rows were not held: " + e.getMessage());
            }
            Commands.pause(BETWEEN);
        }
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        long from = history.phase(Trial.TROUBLE).orElseThrow();
        long to = history.phase(Trial.CALM).orElseThrow();
        double p90 = p90LatenessMillis(history, from, to);
        int accepted = measures.acceptedPerSecond(from, to);
        return List.of(
                new Claim(
                        "timers scheduled a second while rows are held",
                        String.valueOf(accepted),
                        "at least " + load.rate() / 2,
                        accepted >= load.rate() / 2),
                new Claim(
                        "p90 lateness while rows are held",
                        "%.1f ms".formatted(p90),
                        "at most %.0f ms".formatted(P90_MILLIS),
                        p90 <= P90_MILLIS));
    }

    private static double p90LatenessMillis(History history, long from, long to) {
        double[] millis = history.deliveries().stream()
                .filter(each -> each.at() >= from && each.at() < to)
                .mapToDouble(each -> (each.at() - each.due()) / 1e3)
                .sorted()
                .toArray();
        return millis.length == 0 ? Double.POSITIVE_INFINITY : millis[millis.length * 9 / 10];
    }
}
