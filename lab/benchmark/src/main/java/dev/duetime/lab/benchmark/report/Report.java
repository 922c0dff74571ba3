package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Results.Result;
import dev.duetime.lab.benchmark.run.Results.Spread;
import dev.duetime.lab.benchmark.scenario.FireScenario;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The results as a table: medians, their spread, and how Duetime compares. */
public final class Report {
    private static final String ROW = "%-13s %-18s %-22s %12s %25s %8s %15s%n";

    private final PrintStream out;

    public Report(PrintStream out) {
        this.out = out;
    }

    public void print(List<Result> results) {
        out.printf(ROW, "contestant", "variant", "metric", "median", "min - max", "of raw", "min - max");
        for (Result result : results) {
            Spread ratio = result.ratioToRaw();
            out.printf(
                    ROW,
                    result.contestant(),
                    result.variant(),
                    result.metric(),
                    number(result.value().median()),
                    number(result.value().min()) + " - " + number(result.value().max()),
                    ratio == null ? "" : percent(ratio.median()),
                    ratio == null ? "" : percent(ratio.min()) + " - " + percent(ratio.max()));
        }
        out.println();
        for (Result peer : results) {
            if (ContestantType.named(peer.contestant()).isPeer()
                    && peer.metric().equals("per_second")) {
                results.stream()
                        .filter(own -> own.contestant().equals(ContestantType.DUETIME.label())
                                && own.metric().equals(peer.metric())
                                && comparable(own.variant(), peer.variant()))
                        .forEach(own -> compare(own, peer));
            }
        }
    }

    /** Variants of peers that delete are also compared with variants of Duetime that keep, and vice versa. */
    private static boolean comparable(String own, String peer) {
        return own.equals(peer) || (FireScenario.isRetention(own) && FireScenario.isRetention(peer));
    }

    private void compare(Result own, Result peer) {
        if (peer.value().median() > 0) {
            out.printf(
                    "duetime %s: %s times %s %s%n",
                    own.variant(),
                    number(own.value().median() / peer.value().median()),
                    peer.contestant(),
                    peer.variant());
        }
    }

    /** Three digits are enough for a reader. */
    public static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.2f" : "%,.0f", value);
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.0f %%", ratio * 100);
    }
}
