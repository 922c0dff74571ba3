package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A scenario that makes each call of an operator, and each statement of the loops, on a table of ten million timers.
 * Most of them have ended. It prints the slowest calls, and how long they take when the pages that they read are in
 * memory. It runs on PostgreSQL and MariaDB, whose tables may become that large.
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
        List<Map<String, OperatorCalls.Took>> rounds =
                trial.operate(now, trial.arguments().timersOr(TIMERS));
        Map<String, OperatorCalls.Took> cold = rounds.get(0);
        Map<String, OperatorCalls.Took> warm = rounds.get(1);
        trial.measured("slowest_ms", slowest(cold));
        trial.measured("slowest_again_ms", slowest(warm));
        trial.measured("calls", cold.size());
        trial.measured("calls_over_50_ms", tooSlow(cold));
        trial.measured("calls_over_50_ms_again", tooSlow(warm));
        trial.measured("calls_refused", (double)
                cold.values().stream().filter(each -> each.refused() > 0).count());
        cold.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.comparingDouble(took -> -took.worst())))
                .limit(SHOWN)
                .forEach(each ->
                        print(each.getKey(), each.getValue(), warm.getOrDefault(each.getKey(), each.getValue())));
    }

    private static void print(String call, OperatorCalls.Took cold, OperatorCalls.Took warm) {
        System.out.printf(
                "    %-45s first %7.1f ms, slowest other %7.1f ms, slowest of the second round %7.1f ms, refused %d%n",
                call, cold.first(), cold.slowest(), warm.worst(), cold.refused());
    }

    private static double tooSlow(Map<String, OperatorCalls.Took> all) {
        return all.values().stream().filter(each -> each.worst() > LIMIT_MILLIS).count();
    }

    private static double slowest(Map<String, OperatorCalls.Took> all) {
        return all.values().stream()
                .mapToDouble(OperatorCalls.Took::worst)
                .max()
                .orElse(0);
    }
}
