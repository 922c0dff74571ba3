package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A scenario that makes each call of the store, thirty times in a row, on a table of ten million timers. Most of them
 * have ended. It makes the calls that took too long once more, when the pages that they read are in memory. It prints
 * both times. It runs on PostgreSQL, MariaDB and MySQL, whose tables may become that large.
 */
final class OperatorsScenario implements Scenario {
    private static final int TIMERS = 10_000_000;
    private static final int TIMES = Integer.getInteger("duetime.operators.times", 30);

    /** No call should take longer. */
    private static final double LIMIT_MILLIS = 50;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        boolean large = List.of(DatabaseKind.POSTGRES, DatabaseKind.MARIADB, DatabaseKind.MYSQL)
                .contains(arguments.database());
        return type == ContestantType.DUETIME && large ? List.of(arguments.timersOr(TIMERS) + "-timers") : List.of();
    }

    @Override
    public boolean warmsUp() {
        return false;
    }

    @Override
    public String pictured() {
        return "slowest_ms";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        Instant now = Instant.now();
        ScheduleStore store = trial.store();
        trial.fillWithEnded(now, trial.arguments().timersOr(TIMERS));
        CallTimes times = new CallTimes(calls(store, now), TIMES);
        Map<String, CallTimes.Took> cold = times.measure();
        Map<String, CallTimes.Took> warm = times.measureAgain(cold, LIMIT_MILLIS);
        trial.measured("slowest_ms", slowest(cold.values()));
        trial.measured("slowest_again_ms", slowest(warm.values()));
        trial.measured("calls", cold.size());
        trial.measured("calls_over_50_ms", warm.size());
        trial.measured("calls_over_50_ms_again", (double) warm.values().stream()
                .filter(took -> took.worst() > LIMIT_MILLIS)
                .count());
        trial.measured("calls_refused", (double)
                cold.values().stream().filter(took -> took.refused() > 0).count());
        print(cold, warm);
    }

    /** Lists all calls of the port. Those that read go first, so that they find the tables as they were filled. */
    static Map<String, Call> calls(ScheduleStore store, Instant now) {
        Map<String, Call> all = new LinkedHashMap<>(OperatorCalls.all(store, now));
        all.putAll(LoopCalls.all(store, now));
        all.putAll(ChangeCalls.all(store, now));
        return all;
    }

    private static void print(Map<String, CallTimes.Took> cold, Map<String, CallTimes.Took> warm) {
        System.out.printf(
                "    calls over %.0f ms; each %d times in a row, in milliseconds:%n    %-50s %10s %10s %10s %10s %8s%n",
                LIMIT_MILLIS, TIMES, "", "first", "slowest", "again", "slowest", "refused");
        warm.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.comparingDouble(took -> -took.worst())))
                .forEach(each -> {
                    CallTimes.Took before = cold.getOrDefault(each.getKey(), each.getValue());
                    CallTimes.Took after = each.getValue();
                    System.out.printf(
                            "    %-50s %10.1f %10.1f %10.1f %10.1f %8d%n",
                            each.getKey(),
                            before.first(),
                            before.slowest(),
                            after.first(),
                            after.slowest(),
                            before.refused());
                });
    }

    private static double slowest(Collection<CallTimes.Took> all) {
        return all.stream().mapToDouble(CallTimes.Took::worst).max().orElse(0);
    }
}
