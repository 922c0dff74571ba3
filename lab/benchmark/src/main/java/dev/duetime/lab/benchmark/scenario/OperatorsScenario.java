package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A scenario that makes each call of an operator, and each statement of the loops, on a table of ten million timers.
 * Most of them have ended. It prints the slowest calls. It runs on PostgreSQL and MariaDB, whose tables may become that
 * large.
 */
final class OperatorsScenario implements Scenario {
    private static final int TIMERS = 10_000_000;
    private static final int SHOWN = 20;

    /** No call may take longer. */
    private static final double LIMIT_MILLIS = 50;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        boolean large = arguments.database() == DatabaseKind.POSTGRES || arguments.database() == DatabaseKind.MARIADB;
        return type == ContestantType.DUETIME && large ? List.of(arguments.timersOr(TIMERS) + "-timers") : List.of();
    }

    @Override
    public String pictured() {
        return "slowest_ms";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        Instant now = Instant.now();
        Map<String, OperatorCalls.Took> all =
                trial.operate(now, trial.arguments().timersOr(TIMERS));
        trial.measured("slowest_ms", slowest(all));
        trial.measured("calls", all.size());
        trial.measured("calls_over_50_ms", (double) all.values().stream()
                .filter(each -> each.worst() > LIMIT_MILLIS)
                .count());
        trial.measured("calls_refused", (double)
                all.values().stream().filter(each -> each.refused() > 0).count());
        all.entrySet().stream()
                .sorted(Map.Entry.comparingByValue((one, other) -> Double.compare(other.worst(), one.worst())))
                .limit(SHOWN)
                .forEach(each -> System.out.printf(
                        "    %-45s first %7.1f ms, slowest other %7.1f ms, refused %d%n",
                        each.getKey(),
                        each.getValue().first(),
                        each.getValue().slowest(),
                        each.getValue().refused()));
    }

    private static double slowest(Map<String, OperatorCalls.Took> all) {
        return all.values().stream()
                .mapToDouble(OperatorCalls.Took::worst)
                .max()
                .orElse(0);
    }
}
