package dev.duetime.todolist;

import java.time.Instant;

/**
 * Does what is to be done about an overdue item. Called at least once for each, as repeats and races of nodes are possible:
 * act through what guards its own state, and take an item that is closed meanwhile for done.
 *
 * @param <I> the type of ids
 */
@FunctionalInterface
public interface OverdueHandler<I> {

    /**
     * Handles one overdue item.
     *
     * @param now the time of the tick that found it
     * @return what becomes of the item, unless it was added again with another time meanwhile: then it stays
     * @throws Exception if it failed: the item is left for the next tick and counted, the others go on
     */
    Verdict handle(I id, Instant now) throws Exception;

    /** Says what becomes of an item. */
    enum Verdict {
        /** It is deleted. Nothing changes if the handler closed it itself, in a transaction of its own. */
        DONE,
        /** It stays, and is handed over again on the next tick. */
        NOT_YET
    }
}
