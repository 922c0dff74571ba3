package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Instant;

/**
 * The rule that nothing is delivered before its due time, by the true time, and that no process's clock is ahead of the
 * true time. If the store's clock was set forward, both may be early by as much, but no delivery is early by the clock
 * of its process.
 */
final class NothingEarly implements Invariant {

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Called called) {
            called.batch().forEach(each -> check(each, event, model));
        } else if (event.fact() instanceof Event.Read read && read.query().now().isAfter(model.latest(event))) {
            throw new Violation(
                    null,
                    "clock of %s is ahead: %s at %s",
                    event.process(),
                    read.query().now(),
                    event.at());
        }
    }

    private static void check(Envelope envelope, Event event, Model model) {
        Instant dueAt = model.of(envelope).content().dueAt();
        if (model.latest(event).isBefore(dueAt) || envelope.event().reachedAt().isBefore(dueAt)) {
            throw new Violation(
                    envelope.key(),
                    "generation %d was due at %s but delivered early, at %s, by event %d",
                    model.of(envelope).generation(),
                    dueAt,
                    event.at(),
                    event.number());
        }
    }
}
