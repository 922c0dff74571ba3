package dev.duetime.console;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.console.internal.action.Deed;
import dev.duetime.console.internal.action.Operation;
import dev.duetime.console.internal.action.Question;
import dev.duetime.console.internal.action.Run;
import dev.duetime.console.internal.action.Runs;
import dev.duetime.console.internal.html.Words;
import dev.duetime.console.internal.page.Filter;
import dev.duetime.console.internal.page.RunPages;
import dev.duetime.console.internal.page.View;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What the forms of the console do. The sender was checked before. Thread-safe. */
final class Actions {
    private static final int MOST_COUNTED = 10_000;

    private final Runs runs;

    Actions(Runs runs) {
        this.runs = runs;
    }

    /**
     * Does what a form asks for.
     *
     * @throws IllegalArgumentException if the form is not complete, or asks for what the sender may not see
     */
    ConsoleResponse answer(View view) {
        return switch (view.request().path()) {
            case "/do/ask" -> ask(view);
            case "/do/all" -> all(view);
            case "/do/ticked" -> ticked(view);
            case "/do/queue" -> queue(view);
            case "/do/stop" -> stop(view);
            default -> throw new IllegalArgumentException("there is no such action");
        };
    }

    private static Operation operation(View view) {
        return Operation.of(Objects.requireNonNullElse(view.parameter("action"), ""));
    }

    private static BoundedCount count(View view, TimerQuery query) {
        return view.scheduler().admin().views().countUpTo(query, MOST_COUNTED);
    }

    private static ConsoleResponse ask(View view) {
        Operation operation = operation(view);
        TimerQuery query = operation.on(Filter.of(view));
        return Responses.page(200, RunPages.ask(view, operation, query, count(view, query)));
    }

    private ConsoleResponse all(View view) {
        Operation operation = operation(view);
        TimerQuery query = operation.on(Filter.of(view));
        checkTyped(view, operation);
        Instant to = operation == Operation.RESCHEDULE ? Filter.to(view) : null;
        Question question = new Question(
                view.parameter("question"), operation, query, view.grant().user(), to);
        Run run = runs.begin(question, count(view, query));
        return Responses.redirect(view.links().to("/run", "id", run.id()));
    }

    private static void checkTyped(View view, Operation operation) {
        if (operation.isFinal() && !operation.word().equals(view.parameter("typed"))) {
            throw new IllegalArgumentException("the word " + operation.word() + " must be typed to confirm");
        }
    }

    private ConsoleResponse ticked(View view) {
        Operation operation = operation(view);
        List<String> keys = view.request().all("key");
        List<TimerKey> decoded = keys.stream().map(View::decode).toList();
        if (decoded.isEmpty() || decoded.stream().anyMatch(key -> view.grant().hides(key.tenantId()))) {
            throw new IllegalArgumentException(
                    "at least one timer must be ticked, and each must be one that you may see");
        }
        if (operation.isFinal() && view.parameter("typed") == null) {
            return Responses.page(200, RunPages.askTicked(view, operation, keys));
        }
        if (operation == Operation.RESCHEDULE && view.parameter("to") == null) {
            return Responses.page(200, RunPages.askTicked(view, operation, keys));
        }
        checkTyped(view, operation);
        Instant to = operation == Operation.RESCHEDULE ? Filter.to(view) : view.now();
        long changed = changed(view, operation, decoded, to);
        String done = operation.word() + ": " + Words.many(changed, "timer", "timers") + " of " + decoded.size();
        return Responses.redirect(
                decoded.size() == 1 && !Filter.isOfList(view)
                        ? view.links().timer(decoded.get(0), done)
                        : Filter.list(view, done));
    }

    /** Changes the timers and notes it, also if the database fails in the middle. Returns how many were changed. */
    private long changed(View view, Operation operation, List<TimerKey> keys, Instant to) {
        TimerAdmin admin = view.scheduler().admin().by(view.grant().user());
        boolean isOne = keys.size() == 1;
        long changed = 0;
        try {
            for (TimerKey key : keys) {
                changed += (isOne ? operation.on(admin, key, to) : changes(operation, admin, key, to)) ? 1 : 0;
            }
            return changed;
        } finally {
            String subject = isOne ? "timer " + keys.get(0) : Words.many(keys.size(), "timer", "timers");
            Set<String> tenants = keys.stream().map(TimerKey::tenantId).collect(Collectors.toSet());
            runs.note(new Deed(view.now(), view.grant().user(), operation.word(), subject, changed, tenants));
        }
    }

    /** Of several timers, one whose deadline forbids the new time does not hold up the others. */
    private static boolean changes(Operation operation, TimerAdmin admin, TimerKey key, Instant to) {
        try {
            return operation.on(admin, key, to);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private ConsoleResponse queue(View view) {
        String queue = Objects.requireNonNullElse(view.parameter("queue"), "");
        if (view.grant().tenants() != null) {
            throw new IllegalArgumentException("a queue may only be paused by those who see all tenants");
        }
        TimerAdmin admin = view.scheduler().admin().by(view.grant().user());
        String done;
        if ("pause".equals(view.parameter("action"))) {
            String reason = view.parameter("reason");
            if (reason == null) {
                throw new IllegalArgumentException("reason must be given");
            }
            done = admin.pause(queue, reason) ? "The queue is paused." : "The queue was paused already.";
        } else {
            done = admin.resume(queue) ? "The queue is resumed." : "The queue was not paused.";
        }
        String what = "pause".equals(view.parameter("action")) ? "pause" : "resume";
        runs.note(new Deed(view.now(), view.grant().user(), what, "queue " + queue, 0, null));
        return Responses.redirect(view.links().to("/queue", "name", queue, "done", done));
    }

    private ConsoleResponse stop(View view) {
        Run run = run(view, "run");
        run.stop();
        return Responses.redirect(view.links().to("/run", "id", run.id()));
    }

    /**
     * Returns the run that a parameter names.
     *
     * @throws IllegalArgumentException if there is none, or the sender may not see it
     */
    Run run(View view, String parameter) {
        String id = Objects.requireNonNullElse(view.parameter(parameter), "");
        return runs.all().stream()
                .filter(run -> run.id().equals(id) && !RunPages.hides(view, run.query()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no such run in this console."
                        + " Each console knows only its own runs, until its node stops"));
    }
}
