package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Machine;
import java.time.Duration;
import java.util.List;

/**
 * A scenario that counts the statements of a started node while nothing is due, with no timer and with a million timers
 * for later.
 */
final class IdleScenario implements Scenario {
    private static final int SECONDS = 60;
    private static final int PENDING = 1_000_000;
    private static final Duration STARTING = Duration.ofSeconds(65);
    private static final Duration SERIOUS = Duration.ofSeconds(10);
    private static final double NANOS_A_MINUTE = 60e9;
    private static final double NANOS_A_MILLI = 1e6;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return List.of("0-pending", arguments.timersOr(PENDING) + "-pending");
    }

    @Override
    public String pictured() {
        return "statements_per_minute";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        Duration during = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        Contestant contestant = trial.open(Deliveries.counted(), trial.type().can(true));
        trial.fill(contestant, BacklogScenario.pending(trial.variant()));
        trial.settle();
        contestant.start();
        // The statements of a start are not counted. For a minute Duetime expects other nodes to start as well.
        Thread.sleep((during.compareTo(SERIOUS) < 0 ? during : STARTING).toMillis());
        long statements = trial.statements();
        long cpu = Machine.processCpuNanos();
        long start = System.nanoTime();
        Thread.sleep(during.toMillis());
        double minutes = (System.nanoTime() - start) / NANOS_A_MINUTE;
        trial.measured("statements_per_minute", (trial.statements() - statements) / minutes);
        trial.measured("cpu_ms_per_minute", (Machine.processCpuNanos() - cpu) / NANOS_A_MILLI / minutes);
        trial.measured("heap_mb", Machine.heapMegabytes());
    }
}
