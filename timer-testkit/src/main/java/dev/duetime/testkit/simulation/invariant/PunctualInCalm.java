package dev.duetime.testkit.simulation.invariant;

import dev.duetime.ScheduleResult;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * While nothing goes wrong, a timer that was scheduled on the node that owns its shard is delivered at its time, and
 * any other one a polling interval later at most.
 */
final class PunctualInCalm implements Invariant {
    /** Rows that are just being cancelled are left alone that long, and all that is due with them. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(50);

    private final Scenario scenario;
    private final Map<String, Instant> latest = new HashMap<>();
    private boolean calm;

    PunctualInCalm(Scenario scenario) {
        this.scenario = scenario;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Phase phase) {
            calm = phase.name().equals("calm") || phase.name().equals("quiet");
        } else if (calm && event.fact() instanceof Event.UserScheduled scheduled) {
            ScheduleResult result = scheduled.result();
            NewTimer timer = result == null ? null : model.accepted.get(result.envelopeId());
            if (result != null && timer != null && ScheduleDecision.writes(result)) {
                Duration wait = model.isHeld(timer.shard(), event) ? Duration.ZERO : scenario.poll();
                Instant due = timer.content().dueAt();
                Instant from = due.isBefore(event.at()) ? event.at() : due;
                latest.put(result.envelopeId(), from.plus(wait).plus(WHILE_CANCELLING));
            }
        } else if (event.fact() instanceof Event.Accepted accepted) {
            Instant by = latest.get(accepted.envelope().id());
            if (by != null && event.at().isAfter(by)) {
                throw new Violation(
                        accepted.envelope().key(),
                        "generation %d due %s was delivered at %s, though nothing went wrong and %s was the latest:"
                                + " event %d",
                        model.of(accepted.envelope()).generation(),
                        accepted.envelope().event().dueAt(),
                        event.at(),
                        by,
                        event.number());
            }
        }
    }
}
