package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.testkit.simulation.run.Event;
import java.util.Objects;

/**
 * The rule that each generation has one envelope id, no two generations have the same id, and an envelope has the
 * content of its generation.
 */
final class StableIds implements Invariant {

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Wrote wrote && ScheduleDecision.writes(wrote.result())) {
            NewTimer other = model.accepted.get(wrote.result().envelopeId());
            if (other != null) {
                throw new Violation(
                        wrote.timer().key(),
                        "envelope id %s is of generation %d and of %d",
                        wrote.result().envelopeId(),
                        other.generation(),
                        wrote.timer().generation());
            }
        } else if (event.fact() instanceof Event.Called called) {
            called.batch().forEach(each -> check(each, model.of(each)));
        }
    }

    private static void check(Envelope envelope, NewTimer timer) {
        boolean same = envelope.key().equals(timer.key())
                && envelope.event().dueAt().equals(timer.content().dueAt())
                && Objects.equals(envelope.correlationId(), timer.content().correlationId());
        if (!same) {
            throw new Violation(
                    timer.key(), "envelope %s says %s, but scheduled was %s", envelope.id(), envelope, timer);
        }
    }
}
