package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.TimerQuery;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dead letters, grouped by queue, type and error. */
public final class DeadPage {

    private static final int MOST_SHOWN = 100;

    private DeadPage() {}

    /** Returns the page. */
    public static String of(View view) {
        List<Html> parts = new ArrayList<>();
        if (view.grant().tenants() == null) {
            parts.add(groups(view, view.parameter("tenant")));
        } else {
            parts.add(ShownTenants.choice(view));
            for (String tenant : ShownTenants.of(view, view.grant().tenants())) {
                parts.add(el("h2", tenant));
                parts.add(groups(view, tenant));
            }
        }
        return Layout.page(view, "Dead letters", true, el("h1", "Dead letters"), parts);
    }

    private static Html groups(View view, @Nullable String tenant) {
        TimerQuery query = tenant == null ? TimerQuery.all() : TimerQuery.all().tenantId(tenant);
        String queue = view.parameter("queue");
        DeadGroups found = view.reads().deadGroups(queue == null ? query : query.queue(queue));
        if (found.groups().isEmpty()) {
            return el("p", at("class", "quiet"), found.isComplete() ? "No timer is dead." : "None of the first 5,000.");
        }
        List<Html> rows = found.groups().stream()
                .limit(MOST_SHOWN)
                .map(group -> row(view, group, tenant))
                .toList();
        int more = found.groups().size() - rows.size();
        return Html.group(
                found.isComplete()
                        ? null
                        : el(
                                "p",
                                at("class", "notice"),
                                "Of the first 5,000 dead timers. There are more, perhaps also of other groups."),
                Layout.table(
                        "Dead timers by type and error", List.of("Timers", "Type", "Error", "Queue", "Last", ""), rows),
                more == 0 ? null : el("p", at("class", "quiet"), Words.many(more, "smaller group", "smaller groups")));
    }

    private static Html row(View view, DeadGroup group, @Nullable String tenant) {
        String error = group.errorClass().isEmpty() ? null : group.errorClass();
        String list = view.links()
                .to(
                        "/timers",
                        "state",
                        "dead",
                        "queue",
                        group.queue(),
                        "type",
                        group.type(),
                        "error",
                        error,
                        "tenant",
                        tenant);
        return el(
                "tr",
                el("td", at("class", "big"), el("a", at("href", list), Words.number(group.timers()))),
                el("th", at("scope", "row"), Words.cut(group.type())),
                el("td", el("code", at("title", group.errorClass()), Words.cut(Words.simpleName(group.errorClass())))),
                el("td", group.queue()),
                el("td", Words.when(group.lastFailedAt(), view.now())),
                el("td", actions(view, group, error, tenant)));
    }

    private static Html actions(View view, DeadGroup group, @Nullable String error, @Nullable String tenant) {
        return view.grant().operates()
                ? Layout.form(
                        view,
                        "/do/ask",
                        at("class", "line"),
                        Layout.hidden("state", "dead"),
                        Layout.hidden("queue", group.queue()),
                        Layout.hidden("type", group.type()),
                        Layout.hidden("error", error),
                        Layout.hidden("tenant", tenant),
                        TimersPage.button("revive", "Revive…"),
                        TimersPage.button("purge", "Purge…"))
                : Html.NONE;
    }
}
