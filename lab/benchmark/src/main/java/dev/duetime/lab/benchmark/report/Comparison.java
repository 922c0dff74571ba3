package dev.duetime.lab.benchmark.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The comparison of two result files. A figure counts as different if the test of Mann and Whitney finds a probability
 * below 5 % that chance alone did it. So one of twenty figures seems to differ even between two runs of the same
 * program. With three repetitions no probability is below 10 %, and nothing can be said.
 */
public final class Comparison {
    static final double LEVEL = 0.05;

    private static final int LEAST_REPETITIONS = 4;
    private static final int RESAMPLES = 10_000;
    private static final double TAIL = 0.025;
    private static final String ROW = "%-13s %-20s %-24s %12s %12s %7s %17s %7s  %s%n";

    private Comparison() {}

    /** The verdict on a figure. */
    enum Verdict {
        DIFFERENT,
        WITHIN_NOISE,
        TOO_FEW_REPETITIONS
    }

    /**
     * A figure that both files have.
     *
     * @param ratio the second median, divided by the first
     * @param low the lower end of the ratio's 95 % confidence interval, by bootstrap
     * @param high the upper end
     * @param probability how likely such a difference is by chance
     */
    record Line(
            List<String> name,
            double first,
            double second,
            double ratio,
            double low,
            double high,
            double probability,
            Verdict verdict) {}

    /** Compares two files that the benchmark wrote, and prints a line for each figure that both have. */
    public static void print(Path first, Path second, PrintStream out) throws IOException {
        out.printf(ROW, "contestant", "variant", "metric", "A", "B", "B/A", "95 % interval", "p", "verdict");
        for (Line line : compare(read(first), read(second))) {
            out.printf(
                    ROW,
                    line.name.get(0),
                    line.name.get(1),
                    line.name.get(2),
                    Report.number(line.first),
                    Report.number(line.second),
                    Report.number(line.ratio),
                    Report.number(line.low) + " - " + Report.number(line.high),
                    "%.3f".formatted(line.probability),
                    line.verdict.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }
    }

    private static Map<List<String>, List<Double>> read(Path file) throws IOException {
        JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
        Map<List<String>, List<Double>> figures = new LinkedHashMap<>();
        for (JsonNode row : report.get("results")) {
            if (!row.has("values")) {
                throw new IllegalArgumentException(file + " has no repetitions: an older benchmark wrote it");
            }
            List<Double> values = new ArrayList<>();
            row.get("values").forEach(value -> values.add(value.asDouble()));
            figures.put(
                    List.of(
                            report.get("scenario").asString() + " "
                                    + row.get("contestant").asString(),
                            row.get("variant").asString(),
                            row.get("metric").asString()),
                    values);
        }
        return figures;
    }

    static List<Line> compare(Map<List<String>, List<Double>> first, Map<List<String>, List<Double>> second) {
        List<Line> lines = new ArrayList<>();
        first.forEach((name, values) -> {
            List<Double> others = second.get(name);
            if (others != null) {
                lines.add(line(name, values, others));
            }
        });
        return lines;
    }

    private static Line line(List<String> name, List<Double> first, List<Double> second) {
        double probability = RankTest.probability(first, second);
        Verdict verdict = Math.min(first.size(), second.size()) < LEAST_REPETITIONS
                ? Verdict.TOO_FEW_REPETITIONS
                : probability < LEVEL ? Verdict.DIFFERENT : Verdict.WITHIN_NOISE;
        List<Double> ratios = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (int i = 0; i < RESAMPLES; i++) {
            ratios.add(median(resample(second, random)) / median(resample(first, random)));
        }
        Collections.sort(ratios);
        double a = median(first);
        double b = median(second);
        return new Line(
                name,
                a,
                b,
                b / a,
                BoxPlot.quantile(ratios, TAIL),
                BoxPlot.quantile(ratios, 1 - TAIL),
                probability,
                verdict);
    }

    private static List<Double> resample(List<Double> values, SplittableRandom random) {
        List<Double> drawn = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            drawn.add(values.get(random.nextInt(values.size())));
        }
        return drawn;
    }

    private static double median(List<Double> values) {
        return BoxPlot.quantile(values, 0.5);
    }
}
