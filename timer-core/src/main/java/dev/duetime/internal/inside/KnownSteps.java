package dev.duetime.internal.inside;

import dev.duetime.UnknownTypeException;

/** The inside of the steps of a todo: the engine asks for a step before it reads a payload. Thread-safe. */
public interface KnownSteps {
    /**
     * Checks whether a todo at this step can run here.
     *
     * @throws UnknownTypeException if the state machine does not know the step
     */
    void check(String step);
}
