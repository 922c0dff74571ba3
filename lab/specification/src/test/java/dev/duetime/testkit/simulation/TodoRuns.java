package dev.duetime.testkit.simulation;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Invariant;
import dev.duetime.testkit.simulation.invariant.Model;
import dev.duetime.testkit.simulation.invariant.Violation;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.todo.TodoMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rule about runs of steps. A step begins only after it was written, after all steps before it, with the payload
 * that they left, and never early. A process does not run a step again after it has moved the todo on. Todos that
 * exclude each other never run at the same time in one process, nor in two processes while the first one holds the
 * lease of the shard.
 */
final class TodoRuns implements Invariant {
    private final TodoMode mode;
    private final Map<Long, String> written = new HashMap<>();
    private final Map<String, Set<Long>> movedOn = new HashMap<>();
    private final Map<Integer, Event> running = new HashMap<>();

    private static final String WITH = " with ";

    TodoRuns(TodoMode mode) {
        this.mode = mode;
    }

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Wrote wrote && ScheduleDecision.writes(wrote.result())) {
            NewTimer timer = wrote.timer();
            written.put(
                    timer.generation(),
                    said(timer.content().step(), timer.content().payload().as(String.class)));
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> moved(each, event));
        } else if (fact instanceof Event.Began began) {
            check(began.todo(), event, model);
            running.put(event.number(), event);
        } else if (fact instanceof Event.Finished finished) {
            running.remove(finished.began());
        } else if (fact instanceof Event.Life life && life.what() == Event.Life.What.CRASHED) {
            running.values().removeIf(each -> each.process().equals(event.process()));
        }
    }

    private static String said(@Nullable String step, String payload) {
        return step + WITH + payload;
    }

    private static String said(StoredTimer todo) {
        return said(todo.content().step(), todo.content().payload().as(String.class));
    }

    private void moved(Settlement settlement, Event event) {
        if (settlement instanceof Settlement.Advanced advanced) {
            // One that was set aside holds no payload that is not written.
            String before = String.valueOf(written.get(advanced.generation()));
            String next = advanced.withPayload()
                    ? said(advanced.next())
                    : advanced.next().content().step() + before.substring(before.indexOf(WITH));
            written.put(advanced.next().generation(), next);
        }
        if (!(settlement instanceof Settlement.Retried)) {
            movedOn.computeIfAbsent(event.process(), process -> new HashSet<>()).add(settlement.generation());
        }
    }

    private void check(StoredTimer todo, Event event, Model model) {
        String stood = written.get(todo.generation());
        List<String> path = Work.of(todo).path();
        int place = Work.STEPS.indexOf(String.valueOf(todo.content().step()));
        if (!said(todo).equals(stood)) {
            throw violation(todo, event, "which is not durable: written was " + stood);
        }
        if (!path.equals(Work.STEPS.subList(0, place))) {
            throw violation(todo, event, "but has done " + path);
        }
        if (todo.dueAt().isAfter(event.at())) {
            throw violation(todo, event, "early: due at " + todo.dueAt());
        }
        if (movedOn.getOrDefault(event.process(), Set.of()).contains(todo.generation())) {
            throw violation(todo, event, "which it had moved on itself");
        }
        running.values().forEach(each -> checkBeside(todo, each, event, model));
    }

    private void checkBeside(StoredTimer todo, Event other, Event event, Model model) {
        StoredTimer running = ((Event.Began) other.fact()).todo();
        boolean same = other.process().equals(event.process());
        Event now = new Event(event.number(), event.at(), other.process(), event.fact());
        if (excludes(todo, running) && (same || model.isHeld(running.shard(), now))) {
            throw violation(
                    todo,
                    event,
                    "while %s runs %s by event %d".formatted(other.process(), running.key(), other.number()));
        }
    }

    private boolean excludes(StoredTimer todo, StoredTimer other) {
        TimerKey key = todo.key();
        String parallelKey = todo.content().parallelKey();
        return key.equals(other.key())
                || mode == TodoMode.SEQUENTIAL
                || (mode == TodoMode.PARALLEL_BY_KEY
                        && parallelKey != null
                        && parallelKey.equals(other.content().parallelKey()));
    }

    private static Violation violation(StoredTimer todo, Event event, String wrong) {
        return new Violation(
                todo.key(),
                "%s begins step %s of generation %d at %s %s: event %d",
                event.process(),
                todo.content().step(),
                todo.generation(),
                event.at(),
                wrong,
                event.number());
    }
}
