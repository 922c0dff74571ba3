package dev.duetime.todo;

import dev.duetime.Beta;

/**
 * The code that runs todos of one type, or one step of them. Several threads call it at once. If the outcome could not
 * be stored, the same step runs again.
 *
 * @param <T> the type of payloads
 */
@Beta
@FunctionalInterface
public interface StepHandler<T> {
    /**
     * Runs the current step of the todo.
     *
     * @param todo the todo before this step
     * @param run this attempt: schedules and writes together with the outcome
     * @return the outcome of the step
     * @throws Exception if the step failed: as {@link Outcome#retry(Throwable)}
     */
    Outcome execute(Todo<T> todo, TodoRun run) throws Exception;
}
