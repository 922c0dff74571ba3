package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.QueueOverview;
import dev.duetime.console.internal.html.Chart;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One queue: its shards by owner, what falls due when, and its pause. */
public final class QueuePage {
    private static final int COLOURS = 8;

    private QueuePage() {}

    /**
     * Returns the page.
     *
     * @throws IllegalArgumentException if there is no such queue
     */
    public static String of(View view) {
        String name = view.parameter("name");
        QueueOverview queue = view.reads().queues().stream()
                .filter(each -> each.queue().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no such queue on this node"));
        return Layout.page(
                view,
                queue.queue(),
                true,
                el("h1", "Queue ", el("b", queue.queue())),
                queue.pause() == null
                        ? Html.NONE
                        : el(
                                "p",
                                at("class", "notice"),
                                "This queue is ",
                                OverviewPage.pause(view, queue.pause()),
                                "."),
                view.grant().tenants() == null ? open(view, queue) : Html.NONE);
    }

    private static Html open(View view, QueueOverview queue) {
        return Html.group(
                view.grant().operates() ? actions(view, queue) : Html.NONE,
                waiting(view, queue),
                Activity.section(view, queue.queue()),
                LimitsSection.of(view, queue.queue()),
                forecast(view, queue),
                shards(view, queue));
    }

    private static Html waiting(View view, QueueOverview queue) {
        return el(
                "dl",
                at("class", "facts"),
                el("dt", "Scheduled"),
                el("dd", OverviewPage.pending(view, queue.queue())),
                el("dt", "Due now"),
                el(
                        "dd",
                        OverviewPage.due(view, queue),
                        queue.oldestDue() == null
                                ? null
                                : Html.group(
                                        ", the oldest for ",
                                        Words.span(Duration.between(queue.oldestDue(), view.now())))),
                el("dt", "Dead"),
                el("dd", OverviewPage.deadLink(view, queue.queue())));
    }

    private static Html actions(View view, QueueOverview queue) {
        if (queue.pause() != null) {
            return Layout.form(
                    view,
                    "/do/queue",
                    Layout.hidden("queue", queue.queue()),
                    el("button", at("name", "action"), at("value", "resume"), "Resume"));
        }
        return Layout.form(
                view,
                "/do/queue",
                at("class", "line"),
                Layout.hidden("queue", queue.queue()),
                el(
                        "label",
                        "Why ",
                        el(
                                "input",
                                at("name", "reason"),
                                at("required", true),
                                at("maxlength", "1000"),
                                at("autocomplete", "off"),
                                at("placeholder", "the broker is being moved"))),
                el("button", at("name", "action"), at("value", "pause"), "Pause on all nodes"));
    }

    private static Html forecast(View view, QueueOverview queue) {
        String chosen = view.parameter("span");
        String span = chosen == null ? "hour" : chosen;
        Duration width = switch (span) {
            case "day" -> Duration.ofHours(1);
            case "week" -> Duration.ofHours(6);
            default -> Duration.ofMinutes(2);
        };
        int slots = switch (span) {
            case "day" -> 24;
            case "week" -> 28;
            default -> 30;
        };
        List<Html> links = new ArrayList<>();
        for (String each : List.of("hour", "day", "week")) {
            links.add(el(
                    "a",
                    at("href", view.links().to("/queue", "name", queue.queue(), "span", each)),
                    each.equals(span) ? at("aria-current", "true") : null,
                    "next " + each));
        }
        return el(
                "section",
                el("h2", "What falls due"),
                el("p", at("class", "tabs"), links),
                Chart.forecast(
                        view.reads().forecast(queue.queue(), view.now().truncatedTo(ChronoUnit.SECONDS), width, slots),
                        view.now()),
                el(
                        "p",
                        el(
                                "a",
                                at("href", view.links().to("/timers", "queue", queue.queue(), "order", "wake")),
                                "These timers, the next one first")));
    }

    private static Html shards(View view, QueueOverview queue) {
        Map<Integer, Integer> colours = new TreeMap<>();
        List<Html> legend = new ArrayList<>();
        for (int i = 0; i < queue.nodes().size(); i++) {
            QueueOverview.Node node = queue.nodes().get(i);
            int colour = node.alive() ? i % COLOURS + 1 : 0;
            node.shards().forEach(shard -> colours.put(shard, colour));
            legend.add(el(
                    "li",
                    el("i", at("class", "cell node" + colour)),
                    el("code", node.nodeId()),
                    " ",
                    Words.many(node.shards().size(), "shard", "shards"),
                    node.alive()
                            ? ", lease ends " + Words.relative(node.aliveUntil(), view.now())
                            : el("b", at("class", "warn"), ", vanished")));
        }
        List<Html> cells = new ArrayList<>();
        for (int shard = 0; shard < queue.shards(); shard++) {
            int colour = colours.getOrDefault(shard, 0);
            cells.add(el(
                    "i",
                    at("class", "cell node" + colour),
                    at("title", "shard " + shard + (colour == 0 ? ": nobody" : ""))));
        }
        return el(
                "section",
                el("h2", "Shards"),
                el(
                        "p",
                        at("class", "cells"),
                        at("role", "img"),
                        at(
                                "aria-label",
                                queue.shards() - queue.unownedShards() + " of " + queue.shards()
                                        + " shards have an owner"),
                        cells),
                el("ul", at("class", "legend"), legend));
    }
}
