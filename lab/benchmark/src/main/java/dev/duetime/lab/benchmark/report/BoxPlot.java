package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.run.Results.Point;
import dev.duetime.lab.benchmark.run.Results.Result;
import java.util.List;

/**
 * A box plot of one metric on a logarithmic axis. A box reaches from the first to the third quartile, its line is the
 * median, and each repetition is a dot.
 */
final class BoxPlot {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int TOP = 40;
    private static final int ROW = 22;
    private static final double QUARTER = 0.25;

    private BoxPlot() {}

    static String draw(String title, List<Result> results) {
        int height = TOP + ROW * (results.size() + 2);
        Svg svg = new Svg(WIDTH, height);
        svg.text(10, 20, "start", title);
        double least =
                results.stream().mapToDouble(each -> each.value().min()).min().orElse(1);
        double most =
                results.stream().mapToDouble(each -> each.value().max()).max().orElse(1);
        Axis axis = Axis.of(least, most, LEFT, WIDTH - 130);
        for (double mark : axis.marks()) {
            svg.grid(axis.at(mark), TOP, axis.at(mark), height - ROW);
            svg.text(axis.at(mark), height - 6, "middle", Axis.label(mark));
        }
        double y = TOP;
        for (Result each : results) {
            row(svg, axis, y, each);
            y += ROW;
        }
        return svg.toString();
    }

    private static void row(Svg svg, Axis axis, double y, Result result) {
        Svg.Color color = Svg.Color.of(result.contestant(), 0);
        double middle = y + ROW / 2.0;
        double low = axis.at(quantile(result.values(), QUARTER));
        double high = axis.at(quantile(result.values(), 1 - QUARTER));
        double median = axis.at(result.value().median());
        svg.text(LEFT - 8, y + 15, "end", result.contestant() + " " + result.variant());
        svg.grid(axis.at(result.value().min()), middle, axis.at(result.value().max()), middle);
        svg.box(low, y + 5, Math.max(1, high - low), ROW - 10, color.paint());
        svg.line(List.of(new Point(median, y + 2), new Point(median, y + ROW - 2)), color);
        result.values().forEach(value -> svg.dot(axis.at(value), middle));
        svg.text(
                axis.at(result.value().max()) + 8,
                y + 15,
                "start",
                Report.number(result.value().median()));
    }

    /** Returns a quantile, between two values in proportion. */
    static double quantile(List<Double> values, double quantile) {
        List<Double> sorted = values.stream().sorted().toList();
        double place = quantile * (sorted.size() - 1);
        int below = (int) place;
        double next = sorted.get(Math.min(below + 1, sorted.size() - 1));
        return sorted.get(below) + (place - below) * (next - sorted.get(below));
    }
}
