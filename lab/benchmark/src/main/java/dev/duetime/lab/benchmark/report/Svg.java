package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Results.Point;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An SVG picture of lines, boxes and words, for light and dark pages. */
final class Svg {
    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
            <style>
              text { fill: #333 } .grid { stroke: #ccc } .line { fill: none; stroke-width: 2 }
              @media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #555 } }
            </style>
            """;

    /** Up to this number, points are marked. */
    private static final int FEW = 10;

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height) {
        text.append(HEAD.formatted(width, height));
    }

    void text(double x, double y, String anchor, String words) {
        append("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escape(words));
    }

    void box(double x, double y, double width, double height, String color) {
        append(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x, y, width, height, color);
    }

    void dot(double x, double y) {
        append("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"none\" stroke=\"#888\"/>%n", x, y);
    }

    void grid(double x1, double y1, double x2, double y2) {
        append("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n", x1, y1, x2, y2);
    }

    void line(List<Point> points, Color color) {
        String path = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
                .collect(Collectors.joining(" "));
        append(
                "<polyline class=\"line\" stroke=\"%s\" stroke-dasharray=\"%s\" points=\"%s\"/>%n",
                color.paint, color.dashes, path);
        if (points.size() < FEW) {
            points.forEach(point -> append(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", point.x(), point.y(), color.paint));
        }
    }

    private void append(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }

    private static String escape(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }

    /**
     * The look of a contestant in pictures.
     *
     * @param paint the same in all pictures
     * @param dashes tells its variants apart
     */
    record Color(String paint, String dashes) {
        static Color of(String contestant, int variant) {
            String paint = switch (ContestantType.named(contestant)) {
                case DUETIME -> "#1f77b4";
                case RAW -> "#7f7f7f";
                case DB_SCHEDULER -> "#ff7f0e";
                case QUARTZ -> "#d62728";
                case JOBRUNR -> "#2ca02c";
            };
            return new Color(paint, variant == 0 ? "none" : variant == 1 ? "6 3" : "2 2");
        }
    }
}
