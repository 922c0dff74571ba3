package dev.duetime;

import dev.duetime.internal.Limits;
import java.util.Collection;

/**
 * The exception for a type of timer, or a step of a todo, that this node does not know. A {@link Publisher} that hands
 * envelopes on by their type may throw it for a single one, or name it in a {@link PartialPublishException}. The timer
 * is put off, without an attempt, and delays no other timer: a node of another version may know its type. It ends as
 * {@link TimerState#DEAD} after the time that {@link SchedulerBuilder#unknownTypesFor} sets, or at once if {@link
 * RetryPolicy#noRetryOn} names this class.
 */
public final class UnknownTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for a type that is not among the known ones. */
    public UnknownTypeException(String type, Collection<String> known) {
        this("type", type, known);
    }

    private UnknownTypeException(String field, String value, Collection<String> known) {
        super("%s must be one of %s but was %s".formatted(field, known, Limits.shown(value)));
    }

    /**
     * Returns the exception for a step that is not among the known ones. A {@link dev.duetime.todo.StepHandler} that
     * chooses by {@code todo.step()} throws it. {@link dev.duetime.todo.Steps} throws it by itself.
     */
    public static UnknownTypeException ofStep(String step, Collection<String> known) {
        return new UnknownTypeException("step", step, known);
    }
}
