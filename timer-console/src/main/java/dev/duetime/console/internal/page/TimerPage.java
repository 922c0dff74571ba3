package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.TimerSummary;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.JavaText;
import dev.duetime.console.internal.html.PayloadText;
import dev.duetime.console.internal.html.RuleText;
import dev.duetime.console.internal.html.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One timer or todo: its life, its content, its failures. */
public final class TimerPage {

    private TimerPage() {}

    /** Returns the page; empty if there is no such timer, or the sender may not see it. */
    public static Optional<String> of(View view) {
        TimerKey key = view.key();
        return view.grant().hides(key.tenantId())
                ? Optional.empty()
                : view.scheduler().admin().find(key).map(timer -> page(view, timer));
    }

    private static String page(View view, StoredTimer timer) {
        TimerKey key = timer.key();
        return Layout.page(
                view,
                Words.cut(key.timerId()),
                true,
                el("h1", key.scope().isEmpty() ? "Timer " : "Todo ", el("b", key.timerId())),
                el("p", Layout.state(timer.state()), " ", sentence(view, timer)),
                actions(view, timer),
                life(view, timer),
                recurrence(timer),
                history(view, timer),
                el("section", el("h2", "Failure"), failure(view, timer)),
                el("section", el("h2", "Content"), content(timer)),
                headers(timer),
                payload(view, timer),
                java(timer));
    }

    private static Html sentence(View view, StoredTimer timer) {
        Instant wakeAt = timer.wakeAt();
        if (wakeAt != null) {
            return Html.group(timer.attempt() > 0 ? "is tried again " : "is due ", Words.when(wakeAt, view.now()));
        }
        return Html.group("ended ", Words.when(timer.settledAt(), view.now()));
    }

    private static Html actions(View view, StoredTimer timer) {
        if (!view.grant().operates()) {
            return Html.NONE;
        }
        List<Html> buttons = new ArrayList<>();
        if (timer.state() == TimerState.SCHEDULED) {
            // The recurrence alone decides about its times; only a retry moves up.
            if (timer.content().recurrence() == null || timer.attempt() > 0) {
                buttons.add(TimersPage.button("deliver", "Deliver now"));
            }
            if (timer.content().recurrence() == null) {
                buttons.add(TimersPage.button("reschedule", "Reschedule…"));
            }
            buttons.add(TimersPage.button("cancel", "Cancel…"));
        } else if (timer.state() == TimerState.DEAD) {
            buttons.add(TimersPage.button("revive", "Revive"));
        }
        return buttons.isEmpty()
                ? Html.NONE
                : Layout.form(
                        view,
                        "/do/ticked",
                        at("class", "line"),
                        Layout.hidden("key", Links.encode(timer.key())),
                        buttons);
    }

    private static Html life(View view, StoredTimer timer) {
        List<Point> points = new ArrayList<>();
        point(points, "accepted", timer.registeredAt());
        point(points, "delivered before", timer.previousAt());
        point(points, "due", timer.dueAt());
        StoredTimer.Failure failure = timer.failure();
        if (failure != null) {
            point(points, "first failure", failure.firstAt());
            point(points, attempts(timer), failure.lastAt());
        }
        if (timer.wakeAt() != null && !timer.wakeAt().equals(timer.dueAt())) {
            point(points, "next attempt", timer.wakeAt());
        }
        point(points, "deadline", timer.content().expiresAt());
        point(points, timer.state().name().toLowerCase(Locale.ROOT), timer.settledAt());
        points.sort(Comparator.comparing(Point::at));
        return el(
                "ol",
                at("class", "life"),
                at("aria-label", "Life of the timer"),
                points.stream().map(each -> point(view, each)).toList());
    }

    private static String attempts(StoredTimer timer) {
        return timer.attempt() > 1 ? "last failure, attempt " + timer.attempt() : "last failure";
    }

    /** A point in the life of a timer. Points of one instant stay in the order in which they were added. */
    private record Point(String name, Instant at) {}

    private static void point(List<Point> points, String name, @Nullable Instant at) {
        if (at != null) {
            points.add(new Point(name, at));
        }
    }

    private static Html point(View view, Point point) {
        return el(
                "li",
                at("class", point.at().isAfter(view.now()) ? "ahead" : "past"),
                el("b", point.name()),
                Words.when(point.at(), view.now()),
                el("small", Words.utc(point.at())));
    }

    /** Returns the rule in words, and its next times. */
    private static Html recurrence(StoredTimer timer) {
        if (timer.content().recurrence() == null) {
            return Html.NONE;
        }
        RuleText rule = RuleText.of(TimerSummary.of(timer));
        return el(
                "section",
                el("h2", "Recurs"),
                el("p", rule.words(), "; ", rule.catchUp()),
                timer.state() == TimerState.SCHEDULED ? RecurringPage.times(rule, timer.dueAt()) : Html.NONE);
    }

    /** Returns what became of the last occurrences; nothing if no history is kept. */
    private static Html history(View view, StoredTimer timer) {
        List<Occurrence> occurrences =
                timer.content().recurrence() == null ? List.of() : view.reads().occurrences(timer.key());
        return occurrences.isEmpty()
                ? Html.NONE
                : el(
                        "section",
                        el("h2", "Last times"),
                        Layout.table(
                                "Last times",
                                List.of("Due", "Outcome", "Lateness", "Attempts", "Error"),
                                occurrences.stream()
                                        .map(each -> occurrence(view, each))
                                        .toList()));
    }

    private static Html occurrence(View view, Occurrence occurrence) {
        String outcome = occurrence.outcome().name().toLowerCase(Locale.ROOT);
        boolean isDelivered = occurrence.outcome() == Occurrence.Outcome.DELIVERED;
        return el(
                "tr",
                el("th", at("scope", "row"), Words.when(occurrence.dueAt(), view.now())),
                el("td", el("span", at("class", "state " + (isDelivered ? "reached" : outcome)), outcome)),
                el("td", isDelivered ? Words.span(occurrence.lateness()) : "–"),
                el("td", occurrence.attempts()),
                el("td", at("class", "error"), occurrence.error() == null ? null : Words.cut(occurrence.error())));
    }

    /** A todo is enqueued by its queue, so there is no such code for it. */
    private static Html java(StoredTimer timer) {
        return timer.key().scope().isEmpty()
                ? el(
                        "section",
                        el("h2", "As Java"),
                        el(
                                "p",
                                el("button", at("type", "button"), at("data-copy", "java"), "Copy as Java"),
                                el("span", at("role", "status"), at("class", "quiet"))),
                        el(
                                "details",
                                el("summary", "Show"),
                                el("pre", at("class", "copy"), at("id", "java"), JavaText.of(timer))))
                : Html.NONE;
    }

    private static Html failure(View view, StoredTimer timer) {
        StoredTimer.Failure failure = timer.failure();
        return failure == null
                ? el("p", at("class", "quiet"), "None.")
                : Html.group(
                        el(
                                "p",
                                Words.many(timer.attempt(), "attempt", "attempts"),
                                ", last failed ",
                                Words.when(failure.lastAt(), view.now())),
                        el("pre", failure.error()));
    }

    private static Html content(StoredTimer timer) {
        TimerContent content = timer.content();
        return el(
                "dl",
                at("class", "facts"),
                fact("Tenant", timer.key().tenantId()),
                fact("Queue", content.queue()),
                fact("Shard", timer.shard()),
                fact("Type", content.type()),
                fact("Step", content.step()),
                fact("Priority", content.priority()),
                fact("Correlation id", content.correlationId()),
                fact("Correlation key", content.correlationKey()),
                fact("Parallel key", content.parallelKey()),
                fact("Recurrence", content.recurrence()),
                fact("Catch-up", content.catchUp()),
                fact("Envelope id", timer.envelopeId()),
                fact("Generation", timer.generation()));
    }

    private static Html fact(String name, @Nullable Object value) {
        return value == null ? Html.NONE : Html.group(el("dt", name), el("dd", el("code", value)));
    }

    private static Html headers(StoredTimer timer) {
        if (timer.content().headers().isEmpty()) {
            return Html.NONE;
        }
        List<Html> facts = new ArrayList<>();
        timer.content().headers().forEach((name, value) -> facts.add(fact(name, value)));
        return el("section", el("h2", "Headers"), el("dl", at("class", "facts"), facts));
    }

    private static Html payload(View view, StoredTimer timer) {
        Payload payload = timer.content().payload();
        Object shown = view.showsPayloads()
                ? el("details", el("summary", "Show"), el("pre", PayloadText.of(payload.bytes())))
                : el("p", at("class", "quiet"), "Hidden. The program that mounts the console may allow it.");
        return el(
                "section",
                el("h2", "Payload"),
                el("p", Words.many(payload.size(), "byte", "bytes")),
                payload.isEmpty() ? null : shown);
    }
}
