package dev.duetime.testkit.simulation;

import dev.duetime.Recurrence;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.Model.Row;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every accepted generation that was neither replaced nor cancelled ends, as what it is: reached if the publisher had
 * accepted it before, expired if its deadline is over, dead if its attempts are used up. What recurs moves on likewise, and
 * leaves no occurrence out.
 */
final class NothingLost implements Invariant {
    private final Scenario scenario;
    /** Generations that were accepted, and those that were tried, by process. */
    private final Map<String, Set<Long>> delivered = new HashMap<>();

    private final Map<String, Set<Long>> tried = new HashMap<>();

    NothingLost(Scenario scenario) {
        this.scenario = scenario;
    }

    private Instant now = Instant.MIN;

    @Override
    public void see(Event event, Model model) {
        now = event.at();
        if (event.fact() instanceof Event.Called called) {
            Set<Long> generations = tried.computeIfAbsent(event.process(), process -> new HashSet<>());
            called.batch().forEach(each -> generations.add(model.of(each).generation()));
        } else if (event.fact() instanceof Event.Accepted accepted) {
            delivered
                    .computeIfAbsent(event.process(), process -> new HashSet<>())
                    .add(model.of(accepted.envelope()).generation());
        } else if (event.fact() instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> check(each, event, model));
        }
    }

    private void check(Settlement settlement, Event event, Model model) {
        Row row = model.rows.get(settlement.key());
        if (row == null || settlement instanceof Settlement.Retried) {
            return;
        }
        if (settlement instanceof Settlement.Moved moved) {
            checkMove(moved, row, event);
            return;
        }
        boolean wasDelivered = delivered.getOrDefault(event.process(), Set.of()).contains(settlement.generation());
        TimerState state = settlement instanceof Settlement.Ended ended
                ? ended.state()
                : wasDelivered ? TimerState.REACHED : TimerState.EXPIRED;
        boolean right = switch (state) {
            case REACHED -> wasDelivered;
            case EXPIRED -> isOver(row, event, settlement);
            case DEAD ->
                settlement instanceof Settlement.Ended dead
                        && scenario.maxAttempts() > 0
                        && dead.attempt() >= scenario.maxAttempts();
            default -> false;
        };
        if (!right) {
            throw new Violation(
                    settlement.key(),
                    "generation %d due %s expires %s was ended by %s as %s at %s, but %s had%s delivered it: event %d",
                    settlement.generation(),
                    row.timer().content().dueAt(),
                    row.timer().content().expiresAt(),
                    event.process(),
                    settlement,
                    event.at(),
                    event.process(),
                    wasDelivered ? "" : " not",
                    event.number());
        }
    }

    private void checkMove(Settlement.Moved moved, Row row, Event event) {
        Instant dueAt = row.timer().content().dueAt();
        boolean wasDelivered = delivered.getOrDefault(event.process(), Set.of()).contains(moved.generation());
        boolean follows = Recurrence.parse(String.valueOf(row.timer().content().recurrence()))
                .next(dueAt)
                .equals(Optional.of(moved.dueAt()));
        boolean mayDie = scenario.maxAttempts() > 0 && row.attempt() + 1 >= scenario.maxAttempts();
        boolean right = dueAt.equals(moved.previousAt()) ? wasDelivered : isOver(row, event, moved) || mayDie;
        if (!follows || !right) {
            throw new Violation(
                    moved.key(),
                    "generation %d due %s was moved by %s at %s, but %s had%s delivered it: event %d, %s",
                    moved.generation(),
                    dueAt,
                    event.process(),
                    event.at(),
                    event.process(),
                    wasDelivered ? "" : " not",
                    event.number(),
                    moved);
        }
    }

    /** A retry that would come too late is not made: then the deadline may be that far ahead. */
    private boolean isOver(Row row, Event event, Settlement settlement) {
        Instant expiresAt = row.timer().content().expiresAt();
        boolean wasTried = tried.getOrDefault(event.process(), Set.of()).contains(settlement.generation());
        Instant over = wasTried ? event.at().plus(Scenario.LONGEST_RETRY) : event.at();
        return expiresAt != null && expiresAt.isBefore(over);
    }

    @Override
    public void end(Model model) {
        for (Row row : model.rows.values()) {
            Instant wakeAt = row.wakeAt();
            boolean recurs = row.timer().content().recurrence() != null && wakeAt != null && wakeAt.isAfter(now);
            if (row.state() == TimerState.SCHEDULED && !recurs) {
                throw new Violation(
                        row.timer().key(),
                        "generation %d due %s is lost: still scheduled in the end, with attempt %d, to be looked at %s",
                        row.timer().generation(),
                        row.timer().content().dueAt(),
                        row.attempt(),
                        row.wakeAt());
            }
        }
    }
}
