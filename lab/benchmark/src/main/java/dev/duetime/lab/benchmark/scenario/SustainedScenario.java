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
 * A scenario that schedules and delivers at the same time. One thread schedules due timers, 1,000 a call. It waits
 * while more than ten calls are not yet delivered.
 */
final class SustainedScenario implements Scenario {
    private static final int SECONDS = 60;
    private static final int CALL = 1_000;
    private static final int AHEAD = 10 * CALL;
    private static final double NANOS = 1e9;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return FireScenario.retention(type);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        Deliveries deliveries = Deliveries.counted();
        Contestant contestant = trial.open(deliveries, FireScenario.keeps(trial.variant()));
        trial.settle();
        contestant.start();
        long scheduled = 0;
        long end = System.nanoTime()
                + Duration.ofSeconds(trial.arguments().secondsOr(SECONDS)).toNanos();
        while (System.nanoTime() - end < 0) {
            if (scheduled - deliveries.count() >= AHEAD) {
                Thread.sleep(1);
            } else {
                contestant.schedule(Entry.list(CALL, Instant.now(), Duration.ZERO));
                scheduled += CALL;
            }
        }
        long delivered = deliveries.count();
        trial.measured(
                "per_second", delivered == 0 ? 0 : delivered * NANOS / (System.nanoTime() - deliveries.firstNanos()));
    }
}
