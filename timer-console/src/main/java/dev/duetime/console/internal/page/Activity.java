package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.QueueActivity;
import dev.duetime.console.internal.html.Chart;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How much the nodes deliver of a queue, and how late. The nodes write it down while a page is open. */
final class Activity {
    private static final double MEDIAN = 0.5;
    private static final double ALMOST_ALL = 0.99;
    private static final double SMALL = 10;

    private Activity() {}

    /** Returns three cells of a table: in delivery, delivered a second, and lateness. */
    static Html cells(View view, String queue) {
        QueueActivity activity = of(view, queue);
        return Html.group(
                el("td", activity.samples().isEmpty() ? "–" : Words.number(activity.inDelivery(view.now()))),
                el("td", at("class", "rate"), rate(view, activity)),
                el("td", lateness(view, activity)));
    }

    /** Returns two cells of a table: what a node has in delivery, and what it delivered a second, of all queues. */
    static Html ofNode(View view, String node) {
        QueueActivity activity = new QueueActivity(
                node,
                view.reads().activity().stream()
                        .flatMap(each -> each.samples().stream())
                        .filter(each -> each.nodeId().equals(node))
                        .toList());
        return Html.group(
                el("td", activity.samples().isEmpty() ? "–" : Words.number(activity.inDelivery(view.now()))),
                el("td", at("class", "rate"), rate(view, activity)));
    }

    private static QueueActivity of(View view, String queue) {
        return view.reads().activity().stream()
                .filter(each -> each.queue().equals(queue))
                .findFirst()
                .orElseGet(() -> new QueueActivity(queue, List.of()));
    }

    private static Html rate(View view, QueueActivity activity) {
        if (activity.samples().isEmpty()) {
            return el("span", at("class", "quiet"), "asking the nodes…");
        }
        String rate = perSecond(activity.deliveredPerSecond(view.now()));
        return Html.group(
                Chart.spark(
                        activity.delivered(view.now()),
                        "delivered in the last 15 minutes; " + rate + " in the last minute"),
                rate);
    }

    private static String perSecond(double rate) {
        return (rate < SMALL ? String.format(Locale.ROOT, "%.1f", rate) : Words.number(Math.round(rate))) + "/s";
    }

    private static String lateness(View view, QueueActivity activity) {
        Duration median = activity.lateness(MEDIAN, view.now());
        Duration almostAll = activity.lateness(ALMOST_ALL, view.now());
        return median == null || almostAll == null ? "–" : Words.span(median) + ", " + Words.span(almostAll);
    }

    /** Returns the facts about a queue as a list. */
    static Html section(View view, String queue) {
        QueueActivity activity = of(view, queue);
        return el(
                "section",
                el("h2", "Deliveries"),
                el(
                        "dl",
                        at("class", "facts"),
                        el("dt", "Delivered"),
                        el("dd", at("class", "rate"), rate(view, activity)),
                        el("dt", "Lateness p50, p99"),
                        el("dd", lateness(view, activity) + " in the last five minutes"),
                        el("dt", "In delivery"),
                        el("dd", Words.number(activity.inDelivery(view.now())))));
    }
}
