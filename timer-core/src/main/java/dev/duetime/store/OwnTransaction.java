package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;

/**
 * A transaction that a store has begun. Others see what is written in it when it is committed. If it is closed without
 * a commit, nothing was written. Not thread-safe. Every method but {@link #close} throws {@link StoreException} if the
 * store failed, and a {@link CollisionException} if another transaction was in the way: then close it and begin anew.
 */
@Beta
public interface OwnTransaction extends AutoCloseable {

    /** Returns what writes in this transaction. */
    TimerWrites writes();

    /**
     * Returns the transaction for others to join, to write in addition to the timers; they neither commit nor close it.
     */
    Transaction transaction();

    /**
     * Makes what is written from now on give up with a {@link CollisionException} if another transaction holds a row
     * for longer than some tens of milliseconds, where the store can; by default it does nothing.
     */
    default void waitBriefly() {
        // What cannot be limited is waited for.
    }

    /**
     * Ends {@link #waitBriefly}: what is written from now on waits for rows of other transactions for some seconds; by
     * default it does nothing.
     */
    default void waitLonger() {
        // What cannot be limited is waited for.
    }

    /** Makes durable what was written. If it fails, that may have happened or not. */
    void commit();

    /** Ends the transaction, taking back what was not committed. Closing again does nothing. */
    @Override
    void close();
}
