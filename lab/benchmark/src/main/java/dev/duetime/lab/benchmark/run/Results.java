package dev.duetime.lab.benchmark.run;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The measured values, one for each repetition, and their summary. */
public final class Results {
    private final Map<Key, List<Double>> values = new LinkedHashMap<>();
    private final Map<List<String>, Line> lines = new LinkedHashMap<>();
    private final List<Value> added = new ArrayList<>();

    public void add(String contestant, String variant, String metric, double value) {
        values.computeIfAbsent(new Key(contestant, variant, metric), key -> new ArrayList<>())
                .add(value);
        added.add(new Value(contestant, variant, metric, value));
    }

    /** Returns the values that were added since the last call. */
    public List<Value> takeAdded() {
        List<Value> taken = List.copyOf(added);
        added.clear();
        return taken;
    }

    /** Keeps the points of the last repetition. */
    public void draw(String contestant, String variant, List<Point> points) {
        lines.put(List.of(contestant, variant), new Line(contestant, variant, points));
    }

    public List<Line> lines() {
        return List.copyOf(lines.values());
    }

    /** Returns the last value of a metric; empty if there is none. */
    public OptionalDouble last(String contestant, String variant, String metric) {
        List<Double> all = values.getOrDefault(new Key(contestant, variant, metric), List.of());
        return all.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(all.get(all.size() - 1));
    }

    /** Returns the medians with their spread, and the ratios to raw, each within its repetition. */
    public List<Result> summary() {
        return values.entrySet().stream()
                .map(entry -> result(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Result result(Key key, List<Double> measured) {
        List<Double> raw = values.get(new Key(ContestantType.RAW.label(), key.variant, key.metric));
        Spread ratio = null;
        if (raw != null && raw.size() == measured.size()) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < raw.size(); i++) {
                double ofRaw = Objects.requireNonNull(raw.get(i));
                if (ofRaw != 0) {
                    ratios.add(measured.get(i) / ofRaw);
                }
            }
            ratio = ratios.isEmpty() ? null : Spread.of(ratios);
        }
        return new Result(key.contestant, key.variant, key.metric, List.copyOf(measured), Spread.of(measured), ratio);
    }

    /** A value that one repetition measured. */
    public record Value(String contestant, String variant, String metric, double value) {}

    private record Key(String contestant, String variant, String metric) {}

    /**
     * The median, the least and the greatest of a few values.
     *
     * @param median the value in the middle; of an even number of values the lower one of the two in the middle
     */
    public record Spread(double median, double min, double max) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            return new Spread(sorted.get((sorted.size() - 1) / 2), sorted.get(0), sorted.get(sorted.size() - 1));
        }
    }

    /**
     * The figures of one contestant.
     *
     * @param values one of each repetition, in their order
     * @param ratioToRaw null where raw did not take part
     */
    public record Result(
            String contestant,
            String variant,
            String metric,
            List<Double> values,
            Spread value,
            @Nullable Spread ratioToRaw) {}

    /** A point of a line. */
    public record Point(double x, double y) {}

    /** A line of the picture. */
    public record Line(String contestant, String variant, List<Point> points) {
        public String label() {
            return contestant + " " + variant;
        }
    }
}
