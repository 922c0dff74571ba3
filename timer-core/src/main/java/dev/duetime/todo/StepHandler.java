package dev.duetime.todo;

import dev.duetime.Beta;

/**
 * Runs todos of one type, or one step of them. Called by several threads at once, and again for the same step if its outcome
 * could not be written down.
 *
 * @param <T> the type of payloads
 */
@Beta
@FunctionalInterface
public interface StepHandler<T> {
    /**
     * Runs the step at which the todo stands.
     *
     * @param todo as it stands
     * @param run this attempt: schedules and writes together with the outcome
     * @return what becomes of it
     * @throws Exception if the step failed: as {@link Outcome#retry(Throwable)}
     */
    Outcome execute(Todo<T> todo, TodoRun run) throws Exception;
}
