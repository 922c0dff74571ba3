package dev.duetime.testkit.simulation.invariant;

import dev.duetime.testkit.simulation.run.Event;

/** One condition that must hold in every run. An instance sees the history of one run, event by event. */
public interface Invariant {

    /**
     * Looks at an event.
     *
     * @param model what the store should hold just before it
     * @throws Violation if it must not happen
     */
    void see(Event event, Model model);

    /**
     * Looks at the end of the run.
     *
     * @throws Violation if it is not as it must be
     */
    default void end(Model model) {}
}
