package dev.duetime.testkit.fault;

import dev.duetime.Beta;

/**
 * An error that ends the turn of a loop as a full heap does. The turn does nothing more. The loop itself survives and
 * continues a second later, as in production.
 */
@Beta
public final class HeapFull extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    /**
     * Breaks off a turn.
     *
     * @param where what the turn was about
     */
    public HeapFull(String where) {
        super("heap is full: " + where);
    }
}
