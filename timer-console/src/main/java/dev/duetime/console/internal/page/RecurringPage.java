package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.TimerKey;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.RuleText;
import dev.duetime.console.internal.html.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The timers that recur: their rule in words, and their next instants. */
public final class RecurringPage {
    private static final int PAGE = 50;
    private static final int NEXT_SHOWN = 5;

    private RecurringPage() {}

    /** Returns the page. */
    public static String of(View view) {
        List<Html> parts = new ArrayList<>();
        if (view.grant().tenants() == null) {
            parts.add(timers(view, view.parameter("tenant")));
        } else {
            parts.add(ShownTenants.choice(view));
            for (String tenant : ShownTenants.of(view, view.grant().tenants())) {
                parts.add(el("h2", tenant));
                parts.add(timers(view, tenant));
            }
        }
        return Layout.page(view, "Recurring", true, el("h1", "Recurring timers"), parts);
    }

    private static Html timers(View view, @Nullable String tenant) {
        TimerKey after = after(view, tenant);
        RecurringTimers page = view.reads().recurring(tenant, after, PAGE);
        TimerKey next = page.next();
        Html more = next == null
                ? Html.NONE
                : el(
                        "p",
                        at("class", "pages"),
                        el(
                                "a",
                                at(
                                        "href",
                                        view.links().to("/recurring", "tenant", tenant, "after", Links.encode(next))),
                                at("rel", "next"),
                                "Next page"));
        if (page.timers().isEmpty()) {
            return Html.group(
                    el(
                            "p",
                            at("class", "quiet"),
                            next == null ? "No timer recurs." : "None among the next 1,000 scheduled timers."),
                    more);
        }
        List<Html> rows = page.timers().stream().map(timer -> row(view, timer)).toList();
        return Html.group(
                Layout.table(
                        "Recurring timers", List.of("Timer", "Rule", "Next times", "Last time", "Queue", "Type"), rows),
                more);
    }

    /** Of several tenants, the parameter counts for the one that it names. */
    private static @Nullable TimerKey after(View view, @Nullable String tenant) {
        TimerKey after = Filter.after(view);
        return after == null || (tenant != null && !after.tenantId().equals(tenant)) ? null : after;
    }

    private static Html row(View view, TimerSummary timer) {
        RuleText rule = RuleText.of(timer);
        return el(
                "tr",
                el(
                        "th",
                        at("scope", "row"),
                        el(
                                "a",
                                at("href", view.links().timer(timer.key())),
                                Words.cut(timer.key().timerId())),
                        timer.key().tenantId().equals(TimerKey.DEFAULT_TENANT)
                                ? null
                                : el("small", Words.cut(timer.key().tenantId()))),
                el("td", rule.words(), el("small", rule.catchUp())),
                el("td", times(rule, timer.dueAt())),
                el("td", Words.when(timer.previousAt(), view.now()), failing(timer)),
                el("td", timer.queue()),
                el("td", Words.cut(timer.type())));
    }

    /** Returns the current occurrence and those after it, in the zone of the rule. */
    static Html times(RuleText rule, Instant dueAt) {
        List<Html> times = rule.next(dueAt, NEXT_SHOWN).stream()
                .map(each -> el("li", el("time", at("datetime", each.toInstant()), rule.local(each))))
                .toList();
        return el("ol", at("class", "times"), times);
    }

    private static Html failing(TimerSummary timer) {
        return timer.attempt() == 0 || timer.failure() == null
                ? Html.NONE
                : el("span", at("class", "warn"), Words.many(timer.attempt(), "failed attempt", "failed attempts"));
    }
}
