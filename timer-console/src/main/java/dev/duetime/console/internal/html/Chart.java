package dev.duetime.console.internal.html;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.DueCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Charts as SVG that the server draws. They contain no style and no script. */
public final class Chart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 120;
    private static final int SPARK_WIDTH = 120;
    private static final int SPARK_HEIGHT = 24;
    private static final int GAP = 2;
    private static final double LEAST = 2;

    private Chart() {}

    /** Returns bars that show how many timers wake in each slot. */
    public static Html forecast(List<DueCount> slots, Instant now) {
        long most = slots.stream().mapToLong(DueCount::timers).max().orElse(0);
        double width = (double) WIDTH / Math.max(1, slots.size());
        List<Html> bars = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            DueCount slot = slots.get(i);
            double height =
                    most == 0 ? 0 : Math.max(slot.timers() > 0 ? LEAST : 0, HEIGHT * slot.timers() / (double) most);
            bars.add(el(
                    "rect",
                    at("class", slot.isExact() ? "bar" : "bar estimate"),
                    at("x", decimal(i * width + GAP / 2.0)),
                    at("y", decimal(HEIGHT - height)),
                    at("width", decimal(width - GAP)),
                    at("height", decimal(height)),
                    at("rx", "1.5"),
                    el("title", title(slot, now))));
        }
        long sum = slots.stream().mapToLong(DueCount::timers).sum();
        boolean isExact = slots.stream().allMatch(DueCount::isExact);
        String label = (isExact ? "" : "about ") + Words.many(sum, "timer", "timers") + " due; at most "
                + Words.number(most) + " in one bar";
        return el(
                "figure",
                el(
                        "svg",
                        at("class", "forecast"),
                        at("viewBox", "0 0 " + WIDTH + " " + (HEIGHT + 1)),
                        at("preserveAspectRatio", "none"),
                        at("role", "img"),
                        at("aria-label", label),
                        bars,
                        el(
                                "line",
                                at("class", "axis"),
                                at("x1", "0"),
                                at("x2", WIDTH),
                                at("y1", HEIGHT),
                                at("y2", HEIGHT))),
                el("figcaption", el("span", "now"), el("span", label), el("span", end(slots, now))));
    }

    /** Returns a small line that shows how a number changed. The last one is not over yet, and left out. */
    public static Html spark(List<Long> numbers, String label) {
        List<Long> shown = numbers.subList(0, Math.max(0, numbers.size() - 1));
        long most = shown.stream().mapToLong(each -> each).max().orElse(0);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < shown.size(); i++) {
            double x = SPARK_WIDTH * i / (double) Math.max(1, shown.size() - 1);
            double y = SPARK_HEIGHT - (most == 0 ? 0 : (SPARK_HEIGHT - 2) * shown.get(i) / (double) most) - 1;
            points.append(i == 0 ? "" : " ").append(decimal(x)).append(',').append(decimal(y));
        }
        return el(
                "svg",
                at("class", "spark"),
                at("viewBox", "0 0 " + SPARK_WIDTH + " " + SPARK_HEIGHT),
                at("preserveAspectRatio", "none"),
                at("role", "img"),
                at("aria-label", label),
                el("title", label),
                el("polyline", at("points", points)));
    }

    private static String title(DueCount slot, Instant now) {
        return (slot.isExact() ? "" : "about ") + Words.number(slot.timers()) + " due from "
                + Words.relative(slot.from(), now) + " (" + Words.utc(slot.from()) + ")";
    }

    private static String end(List<DueCount> slots, Instant now) {
        return slots.isEmpty()
                ? ""
                : "in "
                        + Words.span(Duration.between(
                                now, slots.get(slots.size() - 1).before()));
    }

    private static String decimal(double number) {
        return String.valueOf(Math.round(number * 100) / 100.0);
    }
}
