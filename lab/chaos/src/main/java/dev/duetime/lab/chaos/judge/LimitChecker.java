package dev.duetime.lab.chaos.judge;

import dev.duetime.RateLimit;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Ran;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A check of runs of todos against limits. At no instant more run than may, and in any time no more begin than the rate
 * and its burst allow. A run that was interrupted by a kill ended with its process.
 */
public final class LimitChecker {
    private static final double MICROS = 1e6;

    private final int mostRunning;
    private final double mostBegun;
    private final double aSecond;

    /** A run begins or ends. */
    private record Change(long at, int by) {}

    /** Checks a history. */
    public LimitChecker(History history, RateLimit rate) {
        Map<String, Fault> kills = new HashMap<>();
        history.faults().stream()
                .filter(each -> each.kind().equals(Measures.KILL))
                .forEach(each -> kills.put(each.node(), each));
        Map<List<Object>, Ran> runs = new HashMap<>();
        history.all(Ran.class)
                .forEach(each -> runs.merge(
                        List.of(each.node(), each.key(), each.number(), each.from()),
                        each,
                        (one, other) -> one.to() > other.to() ? one : other));
        List<Change> changes = new ArrayList<>();
        for (Ran each : runs.values()) {
            Fault kill = kills.get(each.node());
            changes.add(new Change(each.from(), 1));
            changes.add(new Change(each.to() > 0 || kill == null ? each.to() : kill.to(), -1));
        }
        // At one instant, ends come first.
        changes.sort(Comparator.comparingLong(Change::at).thenComparingInt(Change::by));
        mostRunning = mostRunning(changes);
        List<Long> begun =
                changes.stream().filter(each -> each.by() > 0).map(Change::at).toList();
        mostBegun = mostBegun(begun, rate);
        aSecond = begun.size() < 2 ? 0 : begun.size() * MICROS / (begun.get(begun.size() - 1) - begun.get(0));
    }

    private static int mostRunning(List<Change> changes) {
        int running = 0;
        int most = 0;
        for (Change each : changes) {
            running += each.by();
            most = Math.max(most, running);
        }
        return most;
    }

    /** Returns the highest level of a bucket that leaks at the rate. */
    private static double mostBegun(List<Long> begun, RateLimit rate) {
        double perMicro = rate.permits() / (rate.period().toNanos() / 1e3);
        double level = 0;
        double most = 0;
        long last = 0;
        for (long at : begun) {
            level = Math.max(0, level - (at - last) * perMicro) + 1;
            last = at;
            most = Math.max(most, level);
        }
        return most;
    }

    /**
     * Judges the runs.
     *
     * @param atOnce how many may run at once
     * @param rate how many may begin
     * @param late how many may have a permit and not yet have begun: a thread may have to wait for a processor
     */
    public List<Claim> claims(int atOnce, RateLimit rate, int late) {
        return List.of(
                Claim.atMost("todos that ran at once on all nodes", mostRunning, atOnce, ""),
                Claim.atMost(
                        "todos that began beyond the rate",
                        (long) Math.ceil(mostBegun),
                        rate.burst() + (long) late,
                        ""),
                new Claim("todos that began in a second", "%.0f".formatted(aSecond), "told", true));
    }
}
