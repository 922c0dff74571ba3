package dev.duetime.testkit.simulation.invariant;

import dev.duetime.testkit.simulation.run.Event;

/** The rule that the store is never called with the interrupt flag set, even if user code has left it set. */
final class FlagClear implements Invariant {

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Interrupted interrupted) {
            throw new Violation(
                    null,
                    "%s calls the store (%s) with the interrupt flag set: event %d",
                    event.process(),
                    interrupted.call(),
                    event.number());
        }
    }
}
