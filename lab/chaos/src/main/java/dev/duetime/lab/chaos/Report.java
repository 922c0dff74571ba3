package dev.duetime.lab.chaos;

import dev.duetime.lab.chaos.judge.Checker;
import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.judge.Verdict;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.log.Measures.Lateness;
import dev.duetime.lab.chaos.log.Measures.Takeover;
import dev.duetime.lab.chaos.scenario.Arguments;
import dev.duetime.lab.chaos.scenario.Scenario;
import dev.duetime.lab.chaos.scenario.Trial;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The results of a trial, as a table for people and as JSON. */
record Report(
        Setting setting,
        Verdict verdict,
        Map<String, Integer> faults,
        Speed speed,
        Map<String, Integer> spread,
        List<Claim> claims) {
    private static final double UNEVEN = 0.2;
    private static final int EXAMPLES = 10;

    /** The settings of a trial. */
    record Setting(
            String scenario, String database, int nodes, int seconds, int rate, double leaseSeconds, long seed) {}

    /** The speed of a trial. */
    record Speed(List<Takeover> takeovers, long longestTakeoverMillis, Lateness trouble, Lateness calm) {}

    static Report of(Arguments arguments, String database, History history, int pending) {
        Measures measures = new Measures(history);
        Verdict verdict = Checker.check(history);
        Arguments.Load load = arguments.load();
        long trouble = history.phase(Trial.TROUBLE).orElseThrow();
        long calm = history.phase(Trial.CALM).orElseThrow();
        long quiet = history.phase(Trial.QUIET).orElseThrow();
        Map<String, Integer> spread = measures.spread(calm, quiet, history.nodes(Trial.CALM));
        List<Takeover> takeovers = measures.takeovers();
        Map<String, Integer> faults = new TreeMap<>();
        history.faults().forEach(each -> faults.merge(each.kind(), 1, Integer::sum));
        List<Claim> claims = new ArrayList<>(general(verdict, pending));
        claims.add(even(spread.values()));
        claims.addAll(Scenario.of(arguments.scenario()).claims(load, history, measures));
        return new Report(
                new Setting(
                        arguments.scenario(),
                        database,
                        load.nodes(),
                        load.seconds(),
                        load.rate(),
                        load.lease().toMillis() / 1e3,
                        arguments.seed()),
                verdict,
                faults,
                new Speed(
                        takeovers,
                        takeovers.stream().mapToLong(Takeover::lastMillis).max().orElse(0),
                        measures.lateness(trouble, calm),
                        measures.lateness(calm, quiet)),
                spread,
                claims);
    }

    private static List<Claim> general(Verdict verdict, int pending) {
        Verdict.Findings findings = verdict.findings();
        Verdict.Deliveries deliveries = verdict.deliveries();
        return List.of(
                Claim.none("lost", findings.lost().size()),
                Claim.none("early", findings.early().size()),
                Claim.none("unexplained duplicates", findings.unexplained().size()),
                Claim.none("delivered wrongly", findings.wrong().size()),
                Claim.none("still scheduled at the end", pending),
                Claim.atMost(
                        "duplicates, of those in flight", deliveries.duplicates(), deliveries.inFlightAtFaults(), ""));
    }

    private static Claim even(Collection<Integer> spread) {
        double mean = spread.stream().mapToInt(Integer::intValue).average().orElse(0);
        double least = spread.stream().mapToInt(Integer::intValue).min().orElse(0) / mean - 1;
        double most = spread.stream().mapToInt(Integer::intValue).max().orElse(0) / mean - 1;
        return new Claim(
                "spread over the nodes when calm",
                "%+.0f %% to %+.0f %%".formatted(least * 100, most * 100),
                "within 20 % of even",
                least >= -UNEVEN && most <= UNEVEN);
    }

    boolean holds() {
        return verdict.isSound() && claims.stream().allMatch(Claim::holds);
    }

    String toJson() {
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(this);
    }

    void print(PrintStream out) {
        out.printf("%n%s on %s, %d nodes, seed %d%n", setting.scenario, setting.database, setting.nodes, setting.seed);
        line(out, "faults", faults);
        line(out, "accepted", verdict.calls());
        line(out, "delivered", verdict.deliveries().delivered());
        line(out, "overtaken in flight", verdict.deliveries().overtaken());
        line(out, "duplicates by cause", verdict.deliveries().duplicatesByCause());
        line(out, "longest takeover", speed.longestTakeoverMillis + " ms");
        line(out, "lateness in trouble", shown(speed.trouble));
        line(out, "lateness when calm", shown(speed.calm));
        line(out, "deliveries by node when calm", spread);
        out.println();
        claims.forEach(each -> out.println(each.line()));
        Verdict.Findings all = verdict.findings();
        Stream.of(all.lost(), all.early(), all.unexplained(), all.wrong())
                .flatMap(list -> list.stream().limit(EXAMPLES))
                .forEach(each -> out.println("      " + each));
        out.printf("%n%s%n", holds() ? "HOLDS" : "DOES NOT HOLD");
    }

    private static String shown(Lateness lateness) {
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, longest %.1f ms of %d timers",
                lateness.p50Millis(),
                lateness.p99Millis(),
                lateness.maxMillis(),
                lateness.timers());
    }

    private static void line(PrintStream out, String what, Object value) {
        out.printf("%-30s %s%n", what, value);
    }
}
