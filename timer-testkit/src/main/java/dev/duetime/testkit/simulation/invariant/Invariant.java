package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Beta;
import dev.duetime.testkit.simulation.run.Event;

/** One condition that must hold in every run. An instance sees the history of one run, event by event. */
@Beta
public interface Invariant {

    /**
     * Checks an event.
     *
     * @param model the expected state of the store just before the event
     * @throws Violation if the event must not happen
     */
    void see(Event event, Model model);

    /**
     * Checks the end of the run.
     *
     * @throws Violation if the end is wrong
     */
    default void end(Model model) {}
}
