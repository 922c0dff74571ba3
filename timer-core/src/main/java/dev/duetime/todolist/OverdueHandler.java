package dev.duetime.todolist;

import java.time.Instant;

/**
 * A handler of overdue items. It is called at least once for each item, because repeats and races between nodes are
 * possible. So it must guard its own state, and return {@link Verdict#DONE} for an item that is already closed.
 *
 * @param <I> the type of ids
 */
@FunctionalInterface
public interface OverdueHandler<I> {

    /**
     * Handles one overdue item.
     *
     * @param now the time of the tick that found it
     * @return what happens to the item. If the item was added again with another time meanwhile, it stays
     * @throws Exception if the handler failed: the item is counted as failed and left for the next tick; the other
     *     items go on
     */
    Verdict handle(I id, Instant now) throws Exception;

    /** A decision about an item. */
    enum Verdict {
        /** The item is deleted. The handler may already have closed it, in a transaction of its own. */
        DONE,
        /** The item stays, and the next tick hands it over again. */
        NOT_YET
    }
}
