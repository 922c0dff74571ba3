package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.LimitUse;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueueHealth.PermitWait;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The limits of a queue that hold for the whole cluster, and which node uses how much of them. */
final class LimitsSection {
    private static final double NANOS = 1e9;

    private LimitsSection() {}

    /** Returns the section; nothing if no node has needed a limit of the queue. */
    static Html of(View view, String queue) {
        List<Html> rows = view.reads().limits().stream()
                .filter(each -> each.queue().equals(queue))
                .map(LimitsSection::row)
                .toList();
        return rows.isEmpty()
                ? Html.NONE
                : el(
                        "section",
                        el("h2", "Limits"),
                        Layout.table("Limits", List.of("Limit", "Allowed", "Held", "Wanted", "Nodes"), rows),
                        waiting(view, queue));
    }

    private static Html row(LimitUse limit) {
        Html name = el("th", at("scope", "row"), limit.name());
        if (limit.shares().isEmpty()) {
            return el("tr", name, el("td", at("colspan", "4"), at("class", "quiet"), "no node uses it now"));
        }
        LimitUse.Share any = limit.shares().get(0);
        boolean isShort = limit.wanted() > any.total();
        return el(
                "tr",
                name,
                el("td", allowed(any)),
                el("td", Words.number(limit.held()) + " of " + Words.number(any.total())),
                el("td", el("span", at("class", isShort ? "warn" : "plain"), Words.number(limit.wanted()))),
                el("td", limit.shares().stream().map(LimitsSection::node).toList()));
    }

    private static Html node(LimitUse.Share share) {
        return el("span", at("class", "pair"), el("code", share.nodeId()), " ", Words.number(share.units()));
    }

    /** Returns the limit as it was set: how many at once, or how many in which time. */
    private static String allowed(LimitUse.Share share) {
        if (share.spacing().isZero()) {
            return Words.number(share.total()) + " at once";
        }
        double perSecond = NANOS / share.spacing().toNanos();
        return perSecond < 1
                ? "one in " + Words.span(share.spacing())
                : String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%,.0f/s", perSecond) + ", "
                        + Words.number(share.total()) + " at once after a pause";
    }

    /** Returns how many timers wait for a permit, of those that this node has read. */
    private static Html waiting(View view, String queue) {
        PermitWait wait = view.scheduler().admin().health().queues().stream()
                .filter(each -> each.queue().equals(queue))
                .map(QueueHealth::permitWait)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return wait == null
                ? Html.NONE
                : el(
                        "p",
                        "On this node, ",
                        Words.many(wait.timers(), "timer that it has read waits", "timers that it has read wait"),
                        " for ",
                        el("b", wait.limit()),
                        ", since ",
                        Words.when(wait.since(), view.now()),
                        ".");
    }
}
