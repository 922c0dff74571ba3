package dev.duetime.testkit.simulation;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Invariant;
import dev.duetime.testkit.simulation.invariant.Model;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.invariant.Violation;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import dev.duetime.todo.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rule that every todo ends in the right state. It is complete if the process that wrote this has completed exactly
 * this generation. Otherwise it is dead with a reason, or expired. It moves to the step that its handler named. Every
 * acknowledged like is counted once, in one todo that has ended.
 */
final class TodosEnd implements Invariant {
    private final Scenario scenario;
    private final Map<String, Event.Finished> finished = new HashMap<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Map<String, Integer> counted = new HashMap<>();
    private final Map<String, TimerKey> keys = new HashMap<>();

    TodosEnd(Scenario scenario) {
        this.scenario = scenario;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Finished run) {
            finished.put(event.process() + " " + run.todo().generation(), run);
        } else if (event.fact() instanceof Event.UserScheduled told && told.result() != null) {
            String id = told.key().timerId();
            if (id.startsWith(Work.LIKE)) {
                acknowledged.add(id);
            }
        } else if (event.fact() instanceof Event.Settled settled) {
            Set<Long> before = new HashSet<>();
            settled.settlements().stream()
                    .filter(each -> model.applies(each) && before.add(each.generation()))
                    .forEach(each -> check(each, event, model));
        }
    }

    private void check(Settlement settlement, Event event, Model model) {
        Row row = model.rows.get(settlement.key());
        Event.Finished run = finished.get(event.process() + " " + settlement.generation());
        if (row == null || isRemembered(settlement, row) || isMerge(settlement, row, run)) {
            return;
        }
        if (!isRight(settlement, row, run, event)) {
            throw new Violation(
                    settlement.key(),
                    "generation %d was settled as %s at %s, but its last run there was %s: event %d",
                    settlement.generation(),
                    settlement,
                    event.at(),
                    run,
                    event.number());
        }
        if (run != null && isOf(run, settlement)) {
            run.scheduled().forEach(each -> {
                acknowledged.add(each.timerId());
                keys.put(each.timerId(), settlement.key());
            });
        }
        boolean ends = settlement instanceof Settlement.Ended || settlement instanceof Settlement.Deleted;
        if (ends && row.timer().content().type().equals(Work.LIKE)) {
            ids(row).forEach(id -> count(id, row, event));
        }
    }

    /** Any other end may follow a run whose outcome could not be written. */
    private static boolean isOf(Event.Finished run, Settlement settlement) {
        return settlement instanceof Settlement.Advanced
                || (run.outcome() == Outcome.complete()
                        && settlement instanceof Settlement.Ended ended
                        && ended.state() == TimerState.REACHED);
    }

    private static List<String> ids(Row row) {
        String text = row.timer().content().payload().as(String.class);
        return List.of(text.substring(0, text.indexOf(';')).split(","));
    }

    private void count(String id, Row row, Event event) {
        if (counted.merge(id, 1, Integer::sum) > 1) {
            throw new Violation(row.timer().key(), "like %s is counted twice, now by event %d", id, event.number());
        }
    }

    /** A todo that was merged into another one is kept as reached, so that a repeat is not merged again. */
    private static boolean isRemembered(Settlement settlement, Row row) {
        return settlement instanceof Settlement.Ended ended
                && ended.state() == TimerState.REACHED
                && ended.attempt() == 0
                && row.timer().content().type().equals(Work.LIKE);
    }

    /** The new payload must have all ids of the old one, and one more. */
    private static boolean isMerge(Settlement settlement, Row row, Event.@Nullable Finished run) {
        if (!(settlement instanceof Settlement.Advanced advanced)
                || !row.timer().content().type().equals(Work.LIKE)
                || (run != null && run.outcome() instanceof Outcome.Again)) {
            return false;
        }
        List<String> more = new ArrayList<>(Work.of(advanced.next()).ids());
        more.removeAll(ids(row));
        return more.size() == 1;
    }

    private boolean isRight(Settlement settlement, Row row, Event.@Nullable Finished run, Event event) {
        Outcome outcome = run == null ? null : run.outcome();
        if (settlement instanceof Settlement.Retried) {
            return true;
        }
        if (settlement instanceof Settlement.Advanced advanced) {
            String step = String.valueOf(advanced.next().content().step());
            return outcome instanceof Outcome.Next next
                    ? step.equals(next.step())
                    : outcome instanceof Outcome.Again
                            && step.equals(row.timer().content().step());
        }
        TimerState state = settlement instanceof Settlement.Ended ended
                ? ended.state()
                : outcome == Outcome.complete() ? TimerState.REACHED : TimerState.EXPIRED;
        return switch (state) {
            case REACHED -> outcome == Outcome.complete();
            case EXPIRED -> isOver(row, run, event);
            case DEAD -> settlement instanceof Settlement.Ended dead && isDead(dead, outcome);
            default -> false;
        };
    }

    /** A retry that would come too late is not made. */
    private static boolean isOver(Row row, Event.@Nullable Finished run, Event event) {
        var expiresAt = row.timer().content().expiresAt();
        return expiresAt != null
                && expiresAt.isBefore(run == null ? event.at() : event.at().plus(Scenario.LONGEST_RETRY));
    }

    private boolean isDead(Settlement.Ended dead, @Nullable Outcome outcome) {
        boolean usedUp = scenario.maxAttempts() > 0 && dead.attempt() >= scenario.maxAttempts();
        return dead.failure() != null && (outcome instanceof Outcome.GiveUp || usedUp);
    }

    @Override
    public void end(Model model) {
        for (Row row : model.rows.values()) {
            if (row.state() == TimerState.SCHEDULED) {
                throw new Violation(
                        row.timer().key(),
                        "generation %d, step %s, is lost: still scheduled in the end, with wake-up at %s",
                        row.timer().generation(),
                        row.timer().content().step(),
                        row.wakeAt());
            }
        }
        for (String id : acknowledged) {
            if (!counted.containsKey(id)) {
                throw new Violation(keys.get(id), "like %s was acknowledged but is in no todo that has ended", id);
            }
        }
    }
}
