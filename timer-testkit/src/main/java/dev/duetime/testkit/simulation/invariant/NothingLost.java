package dev.duetime.testkit.simulation.invariant;

import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rule that every accepted generation that was neither replaced nor cancelled ends in the right state: reached if
 * the publisher had accepted it before, expired if its deadline is over, dead if its attempts are used up. A recurring
 * timer moves on ({@link OccurrencesFollow}), and never stays on an occurrence that is due.
 */
final class NothingLost implements Invariant {
    /** Nodes divide the permits anew twice a second, and each asks for its part. */
    private static final Duration LONGEST_WAIT_FOR_A_PERMIT = Duration.ofSeconds(2);

    private final Scenario scenario;
    private final PublishAttempts tries = new PublishAttempts();

    // Mutable state.
    private Instant now = Instant.MIN;

    NothingLost(Scenario scenario) {
        this.scenario = scenario;
    }

    @Override
    public void see(Event event, Model model) {
        now = event.at();
        tries.see(event, model);
        if (event.fact() instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> check(each, event, model));
        }
    }

    private void check(Settlement settlement, Event event, Model model) {
        Row row = model.rows.get(settlement.key());
        if (row == null
                || settlement instanceof Settlement.Retried
                || settlement instanceof Settlement.Moved
                || settlement instanceof Settlement.Advanced) {
            return;
        }
        boolean wasDelivered = tries.wasDelivered(settlement.generation(), event);
        TimerState state = settlement instanceof Settlement.Ended ended
                ? ended.state()
                : wasDelivered ? TimerState.REACHED : TimerState.EXPIRED;
        boolean right = switch (state) {
            case REACHED -> wasDelivered;
            case EXPIRED -> tries.isOver(row, event, model);
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

    /** An occurrence may still be delivered later, also one that is due and waits for a permit. */
    private boolean isStillToCome(Row row, @Nullable Instant wakeAt) {
        boolean recurs = row.timer().content().recurrence() != null;
        Instant waitsFrom = scenario.hasLimits() ? now.minus(LONGEST_WAIT_FOR_A_PERMIT) : now;
        return recurs && wakeAt != null && wakeAt.isAfter(waitsFrom);
    }

    @Override
    public void end(Model model) {
        for (Row row : model.rows.values()) {
            Instant wakeAt = row.wakeAt();
            if (row.state() == TimerState.SCHEDULED && !isStillToCome(row, wakeAt)) {
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
