package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.log.Measures.Lateness;
import java.util.List;

/**
 * A scenario that closes and starts one node after the other, like a deploy, while all of them schedule timers that are
 * due sooner than a poll. It needs a {@code --delay} that is shorter than the poll interval.
 */
final class PromptScenario implements Scenario {
    /** Two looks for hints, with 50 ms before each is sent: far less than a poll interval. */
    private static final double CALM_MILLIS = 600;

    private final RollingScenario roll = new RollingScenario();

    @Override
    public double ratePerNode(Arguments.Load load) {
        return roll.ratePerNode(load);
    }

    @Override
    public void run(Trial trial) {
        roll.run(trial);
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        long trouble = history.phase(Trial.TROUBLE).orElseThrow();
        long calm = history.phase(Trial.CALM).orElseThrow();
        long quiet = history.phase(Trial.QUIET).orElseThrow();
        Lateness rolling = measures.promptness(trouble, calm);
        Lateness settled = measures.promptness(calm, quiet);
        return List.of(
                new Claim("lateness of timers due soon, during the hand-overs", text(rolling), "told", true),
                new Claim(
                        "lateness of timers due soon, when calm",
                        text(settled),
                        "p99 at most %.0f ms".formatted(CALM_MILLIS),
                        settled.p99Millis() <= CALM_MILLIS));
    }

    private static String text(Lateness lateness) {
        return "%d timers, p50 %.1f ms, p99 %.1f ms, most %.1f ms"
                .formatted(lateness.timers(), lateness.p50Millis(), lateness.p99Millis(), lateness.maxMillis());
    }
}
