package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.console.internal.action.Operation;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import dev.duetime.internal.Errors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A list of timers: by key with all filters, or of one queue by the time at which they wake. */
public final class TimersPage {

    private TimersPage() {}

    /** Returns the page. A query that would examine too much is explained instead of answered. */
    public static String of(View view) {
        boolean byWake = "wake".equals(view.parameter("order")) && view.grant().tenants() == null;
        Html list;
        try {
            list = byWake ? upcoming(view) : byKey(view);
        } catch (IllegalArgumentException e) {
            list = notice(e);
        }
        return Layout.page(view, "Timers", false, el("h1", "Timers"), filters(view, byWake), list);
    }

    private static Html notice(IllegalArgumentException refusal) {
        return el("p", at("class", "notice"), String.valueOf(Errors.message(refusal)));
    }

    private static Html filters(View view, boolean byWake) {
        if (byWake) {
            return el(
                    "p",
                    "Scheduled timers of queue ",
                    el("b", view.parameter("queue")),
                    ", the next one first. ",
                    el(
                            "a",
                            at("href", view.links().to("/timers", "queue", view.parameter("queue"))),
                            "Filter instead"));
        }
        return el(
                "form",
                at("class", "filters"),
                at("method", "get"),
                at("action", view.links().to("/timers")),
                at("role", "search"),
                states(view),
                tenant(view),
                field(view, "queue", "Queue", "text"),
                field(view, "type", "Type", "text"),
                field(view, "prefix", "Id begins with", "text"),
                field(view, "correlation", "Correlation id", "text"),
                field(view, "parallel", "Parallel key", "text"),
                field(view, "error", "Error class", "text"),
                field(view, "from", "Due from (UTC)", "datetime-local"),
                field(view, "before", "Due before (UTC)", "datetime-local"),
                el("button", "Filter"));
    }

    private static Html states(View view) {
        List<Html> options = new ArrayList<>();
        options.add(el("option", at("value", ""), "any"));
        for (TimerState state : TimerState.values()) {
            String name = state.name().toLowerCase(Locale.ROOT);
            options.add(el("option", at("value", name), at("selected", name.equals(view.parameter("state"))), name));
        }
        return el("label", "State", el("select", at("name", "state"), options));
    }

    private static Html tenant(View view) {
        return view.grant().tenants() == null
                ? field(view, "tenant", "Tenant", "text")
                : ShownTenants.field(view, view.parameter("tenant"));
    }

    private static Html field(View view, String name, String label, String type) {
        String value = view.parameter(name);
        return el(
                "label",
                at("class", value == null ? "empty" : "set"),
                label,
                el(
                        "input",
                        at("name", name),
                        at("type", type),
                        at("autocomplete", "off"),
                        value == null ? null : at("value", value)));
    }

    private static Html byKey(View view) {
        TimerQuery query = Filter.of(view);
        TimerKey after = Filter.after(view);
        List<TimerSummary> page;
        try {
            page = view.scheduler().admin().views().timers(after == null ? query : query.after(after));
        } catch (IllegalArgumentException e) {
            // A list is refused if it would examine too much. An operation on all that match goes on to the end.
            return Html.group(all(view, query), notice(e));
        }
        String next = page.size() < Filter.PAGE
                ? null
                : view.links()
                        .to(
                                "/timers",
                                Filter.conditions(
                                        view,
                                        "after",
                                        Links.encode(page.get(page.size() - 1).key())));
        return Html.group(all(view, query), rows(view, page), next(next));
    }

    private static Html upcoming(View view) {
        String queue = Objects.requireNonNullElse(view.parameter("queue"), "default");
        UpcomingQuery query = UpcomingQuery.of(queue).limit(Filter.PAGE);
        String wake = view.parameter("wake");
        TimerKey after = Filter.after(view);
        if (wake != null) {
            query = new UpcomingQuery(queue, Instant.parse(wake), after, Filter.PAGE);
        }
        List<TimerSummary> page = view.scheduler().admin().views().upcoming(query);
        TimerSummary last = page.isEmpty() ? null : page.get(page.size() - 1);
        String next = last == null || page.size() < Filter.PAGE
                ? null
                : view.links()
                        .to(
                                "/timers",
                                "queue",
                                queue,
                                "order",
                                "wake",
                                "wake",
                                last.wakeAt(),
                                "after",
                                Links.encode(last.key()));
        return Html.group(rows(view, page), next(next));
    }

    private static Html next(@Nullable String address) {
        return address == null
                ? Html.NONE
                : el("p", at("class", "pages"), el("a", at("href", address), at("rel", "next"), "Next page"));
    }

    /** Returns the actions on all timers that match. */
    private static Html all(View view, TimerQuery query) {
        if (!view.grant().operates() || query.state() == null) {
            return Html.NONE;
        }
        List<Html> fields = new ArrayList<>();
        for (String name : Filter.NAMES) {
            fields.add(Layout.hidden(name, view.parameter(name)));
        }
        List<Html> buttons = new ArrayList<>();
        switch (query.state()) {
            case SCHEDULED -> {
                if (Operation.isEverything(query)) {
                    return el("p", at("class", "quiet"), "Another condition lets you change all timers that match.");
                }
                buttons.add(button("deliver", "Deliver all that match now…"));
                buttons.add(button("reschedule", "Reschedule all that match…"));
                buttons.add(button("cancel", "Cancel all that match…"));
            }
            case DEAD -> {
                buttons.add(button("revive", "Revive all that match…"));
                buttons.add(button("purge", "Purge all that match…"));
            }
            default -> buttons.add(button("purge", "Purge all that match…"));
        }
        return Layout.form(view, "/do/ask", at("class", "line"), fields, buttons);
    }

    static Html button(String action, String label) {
        return el("button", at("name", "action"), at("value", action), label);
    }

    /** Returns a table of timers, with ticks for operators. */
    static Html rows(View view, List<TimerSummary> timers) {
        if (timers.isEmpty()) {
            return el("p", at("class", "quiet"), "No timer matches.");
        }
        boolean ticks = view.grant().operates();
        List<String> head = new ArrayList<>(ticks ? List.of("") : List.of());
        head.addAll(List.of("Timer", "State", "Due", "Queue", "Type", "Attempts", "Last failure"));
        Html table = Layout.table(
                "Timers",
                head,
                timers.stream().map(each -> row(view, each, ticks)).toList());
        return ticks
                ? Layout.form(
                        view,
                        "/do/ticked",
                        Filter.fields(view),
                        table,
                        el(
                                "p",
                                at("class", "line"),
                                "Ticked: ",
                                button("deliver", "Deliver now"),
                                button("revive", "Revive"),
                                button("reschedule", "Reschedule…"),
                                button("cancel", "Cancel…")))
                : table;
    }

    private static Html row(View view, TimerSummary timer, boolean ticks) {
        String id = timer.key().timerId();
        return el(
                "tr",
                ticks
                        ? el(
                                "td",
                                el(
                                        "input",
                                        at("type", "checkbox"),
                                        at("name", "key"),
                                        at("value", Links.encode(timer.key())),
                                        at("aria-label", "tick " + id)))
                        : null,
                el(
                        "th",
                        at("scope", "row"),
                        el("a", at("href", view.links().timer(timer.key())), Words.cut(id)),
                        timer.key().tenantId().equals(TimerKey.DEFAULT_TENANT)
                                ? null
                                : el("small", Words.cut(timer.key().tenantId()))),
                el("td", Layout.state(timer.state())),
                el("td", Words.when(timer.wakeAt() == null ? timer.dueAt() : timer.wakeAt(), view.now())),
                el("td", timer.queue()),
                el("td", Words.cut(timer.type())),
                el("td", timer.attempt()),
                el("td", at("class", "error"), failure(timer)));
    }

    private static Html failure(TimerSummary timer) {
        StoredTimer.Failure failure = timer.failure();
        return failure == null
                ? Html.NONE
                : el("span", at("title", failure.error()), Words.cut(Words.simpleName(failure.errorClass())));
    }
}
