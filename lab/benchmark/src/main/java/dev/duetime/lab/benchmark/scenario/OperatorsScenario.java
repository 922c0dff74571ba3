package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.scenario.call.CallTimes;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A scenario that makes each call of the store, thirty times in a row, on a table of ten million timers. Most of them
 * have ended. It makes the calls that took too long once more, when the pages that they read are in memory. It prints
 * both times. It runs on PostgreSQL, MariaDB and MySQL, whose tables may become that large.
 */
final class OperatorsScenario implements Scenario {
    private static final int TIMERS = 10_000_000;
    private static final int TIMES = Integer.getInteger("duetime.operators.times", 30);

    /** A smaller table has no slow plans, and serves to test that all calls can be made. */
    private static final int LARGE = 100_000;

    /** No call should take longer, but for those that read or write hundreds of rows. */
    private static final double LIMIT_MILLIS = 50;

    /** The time of these calls depends on the rows that were asked for. */
    private static final Pattern MANY_ROWS = Pattern.compile("\\b(500|1,?000)\\b");

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
        int timers = trial.arguments().timersOr(TIMERS);
        trial.fillWithEnded(now, timers);
        CallTimes times = CallTimes.ofPort(store, now, timers < LARGE ? 2 : TIMES);
        Map<String, CallTimes.Took> cold = times.measure();
        Map<String, CallTimes.Took> warm = times.measureAgain(cold, LIMIT_MILLIS);
        trial.measured("slowest_ms", slowest(cold.values()));
        trial.measured("slowest_again_ms", slowest(warm.values()));
        trial.measured("calls", cold.size());
        trial.measured("calls_over_50_ms", overLimit(cold, false));
        trial.measured("calls_over_50_ms_again", overLimit(warm, false));
        trial.measured("calls_of_many_rows_over_50_ms_again", overLimit(warm, true));
        trial.measured("calls_refused", (double)
                cold.values().stream().filter(took -> took.refused() > 0).count());
        print(cold, warm);
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

    private static double overLimit(Map<String, CallTimes.Took> times, boolean manyRows) {
        return times.entrySet().stream()
                .filter(each -> each.getValue().worst() > LIMIT_MILLIS)
                .filter(each -> MANY_ROWS.matcher(each.getKey()).find() == manyRows)
                .count();
    }

    private static double slowest(Collection<CallTimes.Took> all) {
        return all.stream().mapToDouble(CallTimes.Took::worst).max().orElse(0);
    }
}
