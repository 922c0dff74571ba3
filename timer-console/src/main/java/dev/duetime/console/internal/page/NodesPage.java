package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.QueueOverview;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes of the cluster, and what each one owns and delivers. */
public final class NodesPage {

    private NodesPage() {}

    /** Returns the page. */
    public static String of(View view) {
        List<QueueOverview> queues = view.reads().queues();
        Map<String, Map<String, QueueOverview.Node>> nodes = new TreeMap<>();
        for (QueueOverview queue : queues) {
            queue.nodes()
                    .forEach(node -> nodes.computeIfAbsent(node.nodeId(), name -> new TreeMap<>())
                            .put(queue.queue(), node));
        }
        String here = view.scheduler().admin().health().nodeId();
        List<Html> rows = new ArrayList<>();
        nodes.forEach((name, ofQueues) -> rows.add(row(view, name, ofQueues, name.equals(here))));
        return Layout.page(
                view,
                "Nodes",
                true,
                el("h1", "Nodes"),
                rows.isEmpty()
                        ? el("p", at("class", "notice"), "No node delivers.")
                        : Layout.table("Nodes", head(view), rows));
    }

    /** What a node delivers is of all tenants. */
    private static boolean isFenced(View view) {
        return view.grant().tenants() != null;
    }

    private static List<String> head(View view) {
        return isFenced(view)
                ? List.of("Node", "State", "Lease", "Shards by queue")
                : List.of("Node", "State", "Lease", "In delivery", "Delivered", "Shards by queue");
    }

    private static Html row(View view, String name, Map<String, QueueOverview.Node> queues, boolean isHere) {
        QueueOverview.Node any = queues.values().iterator().next();
        List<Html> shards = new ArrayList<>();
        queues.forEach((queue, node) -> shards.add(el(
                "span",
                at("class", "pair"),
                el("a", at("href", view.links().to("/queue", "name", queue)), queue),
                " ",
                Words.number(node.shards().size()))));
        return el(
                "tr",
                el(
                        "th",
                        at("scope", "row"),
                        el("code", name),
                        isHere ? el("small", "this page comes from here") : null),
                el(
                        "td",
                        el(
                                "span",
                                at("class", any.alive() ? "state reached" : "state dead"),
                                any.alive() ? "alive" : "vanished")),
                el("td", Words.when(any.aliveUntil(), view.now())),
                isFenced(view) ? Html.NONE : Activity.ofNode(view, name),
                el("td", shards));
    }
}
