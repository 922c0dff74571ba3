package dev.duetime.engine.settings;

import dev.duetime.StoredTimer;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The code that runs the stored todos of a queue, instead of a publisher: step by step, by several threads, at least
 * once. Users write the typed form, a {@link dev.duetime.todo.TodoQueue}. Implementations are thread-safe.
 */
@FunctionalInterface
public interface QueueHandler {
    /**
     * Runs one step of a todo. Runs again if its outcome could not be written down.
     *
     * @param todo as it stands: its payload and {@code content().step()}
     * @param run this attempt
     * @return what becomes of it
     * @throws Exception if the step failed: as {@link Outcome#retry(Throwable)}. A {@link dev.duetime.PayloadException}
     *     makes it dead at once, unless its retry policy says otherwise; an {@link dev.duetime.UnknownTypeException}
     *     puts it off
     */
    Outcome handle(StoredTimer todo, TodoRun run) throws Exception;

    /**
     * Checks whether this node can run a todo at its step; by default each. The engine asks before it gives the todo a
     * permit.
     *
     * @throws dev.duetime.UnknownTypeException if there is no handler for its type or step
     */
    default void check(StoredTimer todo) {}

    /**
     * Returns whether it knows a type of todos; by default each. One that it does not know is logged when it is
     * scheduled here.
     */
    default boolean handles(String type) {
        return true;
    }

    /**
     * Decides how long a todo waits after its handler has thrown.
     *
     * @param todo the todo as it was before the step
     * @return 1 ms to 365 days. By default null: then the retry policy decides. It also decides if this method throws
     *     or returns another duration
     */
    default @Nullable Duration retryDelay(StoredTimer todo, Throwable error) {
        return null;
    }
}
