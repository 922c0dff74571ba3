package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.Health;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.QueuePause;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The first screen: whether all is well, and each queue in a line. */
public final class OverviewPage {
    private static final int MOST = 10_000;
    private static final Duration LATE = Duration.ofMinutes(1);

    private OverviewPage() {}

    /** Returns the page. */
    public static String of(View view) {
        List<QueueOverview> queues = view.reads().queues();
        Health health = view.scheduler().admin().health();
        List<Html> troubles = troubles(view, queues, health);
        List<Html> rows = queues.stream().map(queue -> row(view, queue)).toList();
        return Layout.page(
                view,
                "Overview",
                true,
                el(
                        "section",
                        at("class", troubles.isEmpty() ? "truth well" : "truth trouble"),
                        el("h1", troubles.isEmpty() ? "All is well." : troubles.get(0)),
                        troubles.size() < 2
                                ? null
                                : el(
                                        "ul",
                                        troubles.stream()
                                                .skip(1)
                                                .map(each -> el("li", each))
                                                .toList())),
                ShownTenants.choice(view),
                Layout.table("Queues", head(view), rows));
    }

    private static List<String> head(View view) {
        return view.grant().tenants() == null
                ? List.of(
                        "Queue",
                        "Scheduled",
                        "Due now",
                        "Oldest due",
                        "In delivery",
                        "Delivered",
                        "Lateness p50, p99",
                        "Dead",
                        "Nodes",
                        "")
                : List.of("Queue", "Dead", "");
    }

    /** Returns what this node cannot reach, and since when. It knows that without the database. */
    static List<Html> outages(View view, Health health) {
        List<Html> found = new ArrayList<>();
        if (health.leaseOutage() != null) {
            found.add(Html.group(
                    "The database has failed to renew leases for ",
                    Words.span(Duration.between(health.leaseOutage().since(), view.now())),
                    "."));
        }
        for (QueueHealth queue : health.queues()) {
            if (queue.storeOutage() != null) {
                found.add(Html.group(
                        "The database has been away for queue ",
                        el("b", queue.queue()),
                        " for ",
                        Words.span(Duration.between(queue.storeOutage().since(), view.now())),
                        "."));
            }
            if (queue.publisherOutage() != null && queue.pause() == null) {
                found.add(Html.group(
                        "The publisher of queue ",
                        el("b", queue.queue()),
                        " has been out for ",
                        Words.span(Duration.between(queue.publisherOutage().since(), view.now())),
                        "."));
            }
        }
        return found;
    }

    private static List<Html> troubles(View view, List<QueueOverview> queues, Health health) {
        List<Html> found = new ArrayList<>(outages(view, health));
        if (view.grant().tenants() == null) {
            queues.forEach(queue -> late(view, queue, found));
        }
        queues.forEach(queue -> {
            if (queue.pause() != null) {
                found.add(Html.group("Queue ", el("b", queue.queue()), " is ", pause(view, queue.pause()), "."));
            }
        });
        return found;
    }

    private static void late(View view, QueueOverview queue, List<Html> found) {
        if (queue.unownedShards() > 0) {
            found.add(Html.group(
                    "No node delivers ",
                    queue.unownedShards() == queue.shards()
                            ? "queue "
                            : Words.many(queue.unownedShards(), "shard", "shards") + " of queue ",
                    el("b", queue.queue()),
                    "."));
        }
        if (queue.oldestDue() != null
                && queue.pause() == null
                && queue.oldestDue().isBefore(view.now().minus(LATE))) {
            found.add(Html.group(
                    "The oldest timer of queue ",
                    el("b", queue.queue()),
                    " has been due for ",
                    Words.span(Duration.between(queue.oldestDue(), view.now())),
                    "."));
        }
    }

    /** Returns since when, by whom and why a queue is paused. */
    static Html pause(View view, QueuePause pause) {
        return Html.group(
                "paused since ",
                Words.utc(pause.since()),
                " (",
                Words.when(pause.since(), view.now()),
                ")",
                pause.operator() == null ? null : Html.group(" by ", el("b", pause.operator())),
                pause.reason() == null ? null : Html.group(": ", el("q", pause.reason())));
    }

    private static Html row(View view, QueueOverview queue) {
        String name = queue.queue();
        Html link = el("a", at("href", view.links().to("/queue", "name", name)), name);
        Html paused = queue.pause() == null ? Html.NONE : paused(queue.pause());
        if (view.grant().tenants() != null) {
            return el("tr", el("th", at("scope", "row"), link), el("td", deadLink(view, name)), el("td", paused));
        }
        return el(
                "tr",
                el("th", at("scope", "row"), link),
                el("td", pending(view, name)),
                el("td", due(view, queue)),
                el("td", Words.when(queue.oldestDue(), view.now())),
                Activity.cells(view, name),
                el("td", deadLink(view, name)),
                el("td", nodes(queue)),
                el("td", paused));
    }

    /** Returns how many timers of a queue are scheduled, and where they are listed. */
    static Html pending(View view, String queue) {
        BoundedCount pending =
                view.reads().countUpTo(TimerQuery.all().queue(queue).state(TimerState.SCHEDULED), MOST);
        return el("a", at("href", view.links().to("/timers", "queue", queue, "order", "wake")), Words.count(pending));
    }

    private static Html paused(QueuePause pause) {
        return Html.group(
                el("span", at("class", "state paused"), "paused"),
                pause.operator() == null ? null : el("small", "by " + Words.cut(pause.operator())),
                pause.reason() == null ? null : el("small", Words.cut(pause.reason())));
    }

    /** Returns how many timers of a queue are due and wait. */
    static Html due(View view, QueueOverview queue) {
        if (queue.oldestDue() == null) {
            return Html.group("0");
        }
        Duration year = Duration.ofDays(365);
        Instant from = view.now().truncatedTo(ChronoUnit.SECONDS).minus(year);
        DueCount due = view.reads().forecast(queue.queue(), from, year, 1).get(0);
        if (due.timers() == 0) {
            // Only some shards were counted.
            return Html.group("a few");
        }
        return el("span", at("class", "rate"), (due.isExact() ? "" : "about ") + Words.number(due.timers()));
    }

    /** Returns how many timers of a queue are dead, and where they are listed. */
    static Html deadLink(View view, String queue) {
        BoundedCount dead = dead(view, queue);
        return el(
                "a",
                at("class", dead.timers() > 0 ? "warn" : "quiet"),
                at("href", view.links().to("/dead", "queue", queue, "tenant", ShownTenants.chosen(view))),
                Words.count(dead));
    }

    /** One read counts for all queues: no index finds the dead timers of one. */
    private static BoundedCount dead(View view, String queue) {
        Set<String> fence = view.grant().tenants();
        return fence == null
                ? dead(view.reads().deadGroups(TimerQuery.all()), queue)
                : ShownTenants.of(view, fence).stream()
                        .map(tenant ->
                                dead(view.reads().deadGroups(TimerQuery.all().tenantId(tenant)), queue))
                        .reduce(new BoundedCount(0, true), BoundedCount::plus);
    }

    private static BoundedCount dead(DeadGroups found, String queue) {
        long timers = found.groups().stream()
                .filter(each -> each.queue().equals(queue))
                .mapToLong(DeadGroup::timers)
                .sum();
        return new BoundedCount(timers, found.isComplete());
    }

    private static Html nodes(QueueOverview queue) {
        long alive = queue.nodes().stream().filter(QueueOverview.Node::alive).count();
        return el("span", at("class", alive == 0 ? "warn" : "plain"), Words.number(alive));
    }
}
