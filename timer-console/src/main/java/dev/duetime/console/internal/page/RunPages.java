package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.TimerQuery;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.QueuePause;
import dev.duetime.console.internal.action.Deed;
import dev.duetime.console.internal.action.Operation;
import dev.duetime.console.internal.action.Question;
import dev.duetime.console.internal.action.Run;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pages of an operation on many timers: the question before it, its progress, and the list of what was done. */
public final class RunPages {

    private RunPages() {}

    /** Returns the page that says how many timers match, and asks whether to go on. */
    public static String ask(View view, Operation operation, TimerQuery query, BoundedCount count) {
        List<Html> fields = new ArrayList<>();
        for (String name : Filter.NAMES) {
            fields.add(Layout.hidden(name, view.parameter(name)));
        }
        fields.add(Layout.hidden("question", Question.newName()));
        return Layout.page(
                view,
                "Confirm",
                false,
                el(
                        "h1",
                        capital(operation) + " " + Words.count(count) + (count.timers() == 1 ? " timer?" : " timers?")),
                el("p", conditions(query)),
                count.timers() > 0
                        ? null
                        : el(
                                "p",
                                at("class", "quiet"),
                                count.isExact()
                                        ? "No timer matches."
                                        : "None of the first 5,000 matches. There may be others behind them."),
                count.timers() == 0 && count.isExact()
                        ? Html.NONE
                        : Layout.form(
                                view,
                                "/do/all",
                                at("class", "line"),
                                fields,
                                typed(operation),
                                to(view, operation),
                                el(
                                        "button",
                                        at("class", operation.isFinal() ? "danger" : "main"),
                                        at("name", "action"),
                                        at("value", operation.word()),
                                        capital(operation) + " them")));
    }

    /** Returns the page that asks what is needed before the timers that were ticked are cancelled or moved. */
    public static String askTicked(View view, Operation operation, List<String> keys) {
        return Layout.page(
                view,
                "Confirm",
                false,
                el("h1", capital(operation) + " " + Words.many(keys.size(), "timer?", "timers?")),
                el(
                        "ul",
                        keys.stream()
                                .map(key -> el("li", el("code", View.decode(key))))
                                .toList()),
                Layout.form(
                        view,
                        "/do/ticked",
                        at("class", "line"),
                        keys.stream().map(key -> Layout.hidden("key", key)).toList(),
                        Filter.isOfList(view) ? Filter.fields(view) : Html.NONE,
                        typed(operation),
                        to(view, operation),
                        el(
                                "button",
                                at("class", operation.isFinal() ? "danger" : "main"),
                                at("name", "action"),
                                at("value", operation.word()),
                                capital(operation) + " them")));
    }

    private static Html typed(Operation operation) {
        return operation.isFinal()
                ? el(
                        "label",
                        "This cannot be undone. Type ",
                        el("b", operation.word()),
                        el(
                                "input",
                                at("name", "typed"),
                                at("required", true),
                                at("pattern", operation.word()),
                                at("autocomplete", "off"),
                                at("autofocus", true)))
                : Html.NONE;
    }

    /** Returns the field for the new due time; an hour from now, unless the sender chooses another. */
    private static Html to(View view, Operation operation) {
        return operation == Operation.RESCHEDULE
                ? el(
                        "label",
                        "New due time (UTC) ",
                        el(
                                "input",
                                at("name", "to"),
                                at("type", "datetime-local"),
                                at("step", "1"),
                                at("required", true),
                                at("value", Words.local(view.now().plus(Duration.ofHours(1))))))
                : Html.NONE;
    }

    /** Returns the page of a run. */
    public static String run(View view, Run run) {
        boolean runs = run.ended() == null;
        return Layout.page(
                view,
                capital(run.operation()),
                runs,
                el("h1", capital(run.operation()) + ": " + state(run)),
                el("p", conditions(run.query())),
                run.operation() == Operation.RESCHEDULE ? el("p", "To ", Words.utc(run.time()), ".") : Html.NONE,
                el(
                        "progress",
                        at("max", Math.max(1, Math.max(run.expected().timers(), run.changed()))),
                        at("value", run.changed()),
                        at("aria-label", "Progress")),
                el(
                        "p",
                        at("class", "big"),
                        Words.number(run.changed()) + " of " + Words.count(run.expected()) + " timers"),
                el("p", "Begun by ", el("b", run.user()), " ", Words.when(run.began(), view.now()), "."),
                run.failure() == null ? null : el("p", at("class", "notice"), run.failure()),
                runs && view.grant().operates()
                        ? Layout.form(
                                view, "/do/stop", Layout.hidden("run", run.id()), el("button", "Stop after this batch"))
                        : null);
    }

    /** Returns the list of runs, and of other actions. */
    public static String activity(View view, List<Run> runs, List<Deed> deeds) {
        List<Html> rows = runs.stream()
                .filter(run -> view.grant().tenants() == null || !hides(view, run.query()))
                .map(run -> el(
                        "tr",
                        el("td", Words.when(run.began(), view.now())),
                        el("td", run.user()),
                        el(
                                "th",
                                at("scope", "row"),
                                el("a", at("href", view.links().to("/run", "id", run.id())), capital(run.operation()))),
                        el("td", Words.number(run.changed())),
                        el("td", state(run)),
                        el("td", conditions(run.query()))))
                .toList();
        List<Html> single = deeds.stream()
                .filter(deed -> !hides(view, deed))
                .map(deed -> el(
                        "tr",
                        el("td", Words.when(deed.at(), view.now())),
                        el("td", deed.user()),
                        el("th", at("scope", "row"), deed.what()),
                        el("td", deed.tenants() == null ? "–" : Words.number(deed.timers())),
                        el("td", Words.cut(deed.subject()))))
                .toList();
        return Layout.page(
                view,
                "Activity",
                true,
                el("h1", "Activity"),
                el(
                        "p",
                        at("class", "quiet"),
                        "What operators did in this console since its node ",
                        el("code", view.scheduler().admin().health().nodeId()),
                        " started. Other nodes that serve a console have a list of their own. Each node logs all that",
                        " operators did there."),
                view.grant().tenants() == null ? pauses(view) : Html.NONE,
                el("h2", "All that match"),
                table(List.of("Begun", "By", "What", "Timers", "State", "Which"), "Runs", rows),
                el("h2", "Single timers and queues"),
                table(List.of("When", "By", "What", "Timers", "Subject"), "Actions", single));
    }

    /** Returns the pauses, which all nodes keep together. */
    private static Html pauses(View view) {
        List<Html> rows = new ArrayList<>();
        for (QueueOverview queue : view.reads().queues()) {
            QueuePause pause = queue.pause();
            if (pause != null) {
                rows.add(el(
                        "tr",
                        el("td", Words.when(pause.since(), view.now())),
                        el("td", Objects.requireNonNullElse(pause.operator(), "–")),
                        el(
                                "th",
                                at("scope", "row"),
                                el("a", at("href", view.links().to("/queue", "name", queue.queue())), queue.queue())),
                        el("td", Objects.requireNonNullElse(pause.reason(), "–")),
                        el("td", el("code", pause.nodeId()))));
            }
        }
        return rows.isEmpty()
                ? Html.NONE
                : Html.group(
                        el("h2", "Paused queues, from any node"),
                        table(List.of("Since", "By", "Queue", "Why", "On node"), "Paused queues", rows));
    }

    private static Html table(List<String> head, String label, List<Html> rows) {
        return rows.isEmpty() ? el("p", at("class", "quiet"), "None.") : Layout.table(label, head, rows);
    }

    /** An action on a queue, or on a timer of another tenant, is hidden from those who see some tenants only. */
    private static boolean hides(View view, Deed deed) {
        Set<String> tenants = deed.tenants();
        return view.grant().tenants() != null
                && (tenants == null
                        || tenants.stream().anyMatch(tenant -> view.grant().hides(tenant)));
    }

    /** Returns whether the sender may not see the timers of a query. */
    public static boolean hides(View view, TimerQuery query) {
        return view.grant().tenants() != null
                && (query.tenantId() == null || view.grant().hides(query.tenantId()));
    }

    private static String state(Run run) {
        if (run.failure() != null) {
            return "failed";
        }
        if (run.ended() == null) {
            return run.isStopped() ? "stopping" : "running";
        }
        return run.isStopped() ? "stopped" : "done";
    }

    private static String capital(Operation operation) {
        String word = operation.word();
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static Html conditions(TimerQuery query) {
        List<Html> parts = new ArrayList<>();
        TimerQuery.Filters filters = query.filters();
        part(parts, "state", query.state());
        part(parts, "queue", query.queue());
        part(parts, "tenant", query.tenantId());
        part(parts, "type", query.type());
        part(parts, "due from", query.dueFrom());
        part(parts, "due before", query.dueBefore());
        part(parts, "id begins with", filters.idPrefix());
        part(parts, "correlation id", filters.correlationId());
        part(parts, "parallel key", filters.parallelKey());
        part(parts, "error", filters.errorClass());
        return Html.group(parts);
    }

    private static void part(List<Html> parts, String name, @Nullable Object value) {
        if (value != null) {
            parts.add(el("span", at("class", "pair"), name + " ", el("b", value)));
        }
    }
}
