package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.run.Results.Line;
import dev.duetime.lab.benchmark.run.Results.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/** A chart of lines over a logarithmic axis. */
final class LineChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 60;
    private static final int RIGHT = 540;
    private static final int TOP = 40;
    private static final int BOTTOM = 380;
    private static final int ROW = 18;

    private LineChart() {}

    /** Draws the greatest lateness of each percentage of the timers. */
    static String distribution(String title, List<Line> lines) {
        Svg svg = titled(title);
        for (int percent = 0; percent <= 100; percent += 25) {
            grid(svg, percentAt(percent), percent + " %");
        }
        Axis x = horizontal(svg, lines);
        plot(svg, lines, point -> new Point(x.at(point.x()), percentAt(point.y())));
        return svg.toString();
    }

    /** Draws one quantity over another, both by decades. */
    static String curve(String title, List<Line> lines) {
        Svg svg = titled(title);
        Axis y = axis(lines, Point::y, BOTTOM, TOP);
        y.marks().forEach(mark -> grid(svg, y.at(mark), Axis.label(mark)));
        Axis x = horizontal(svg, lines);
        plot(svg, lines, point -> new Point(x.at(point.x()), y.at(point.y())));
        return svg.toString();
    }

    private static Svg titled(String title) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        svg.text(10, 20, "start", title);
        return svg;
    }

    private static void grid(Svg svg, double y, String label) {
        svg.grid(LEFT, y, RIGHT, y);
        svg.text(LEFT - 6, y + 4, "end", label);
    }

    private static Axis horizontal(Svg svg, List<Line> lines) {
        Axis x = axis(lines, Point::x, LEFT, RIGHT);
        for (double mark : x.marks()) {
            svg.grid(x.at(mark), TOP, x.at(mark), BOTTOM);
            svg.text(x.at(mark), BOTTOM + 18, "middle", Axis.label(mark));
        }
        return x;
    }

    private static double percentAt(double percent) {
        return BOTTOM - (BOTTOM - TOP) * percent / 100;
    }

    /** Zero, as in "none pending", lies a decade below the smallest other value. */
    private static Axis axis(List<Line> lines, ToDoubleFunction<Point> value, double from, double to) {
        double[] values = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(value)
                .sorted()
                .toArray();
        double[] positive = Arrays.stream(values).filter(each -> each > 0).toArray();
        if (positive.length == 0) {
            return Axis.of(1, 10, from, to);
        }
        double least = positive[0] / (positive.length < values.length ? 10 : 1);
        return Axis.of(least, positive[positive.length - 1], from, to);
    }

    private static void plot(Svg svg, List<Line> lines, UnaryOperator<Point> place) {
        List<String> variants = new ArrayList<>();
        double row = TOP;
        for (Line line : lines) {
            if (!variants.contains(line.variant())) {
                variants.add(line.variant());
            }
            Svg.Color color = Svg.Color.of(line.contestant(), variants.indexOf(line.variant()));
            svg.line(line.points().stream().map(place).toList(), color);
            svg.line(List.of(new Point(RIGHT + 15, row + 8), new Point(RIGHT + 40, row + 8)), color);
            svg.text(RIGHT + 46, row + 12, "start", line.label());
            row += ROW;
        }
    }
}
