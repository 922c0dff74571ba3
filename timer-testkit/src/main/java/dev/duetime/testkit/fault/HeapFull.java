package dev.duetime.testkit.fault;

/**
 * Breaks off the turn of a loop as a full heap does. Whatever the turn was about to do stays undone; the loop itself
 * survives and goes on a second later, as in production.
 */
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
