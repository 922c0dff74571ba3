package dev.duetime.testkit.simulation;

import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.Model.Row;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Every accepted generation that was neither replaced nor cancelled ends, as what it is: reached if the publisher had
 * accepted it before, expired if its deadline is over, dead if its attempts are used up.
 */
final class NothingLost implements Invariant {
    private final Scenario scenario;
    /** Generations that were accepted, and those that were tried, by process. */
    private final Map<String, Set<Long>> delivered = new HashMap<>();

    private final Map<String, Set<Long>> tried = new HashMap<>();

    NothingLost(Scenario scenario) {
        this.scenario = scenario;
    }

    @Override
    public void see(Event event, Model model) {
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
            if (row.state() == TimerState.SCHEDULED) {
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
