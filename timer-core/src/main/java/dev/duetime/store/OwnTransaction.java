package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;

/**
 * A transaction that a store has begun. Others see its writes when it is committed. If it is closed without a commit,
 * nothing was written. Not thread-safe. Every method but {@link #close} throws {@link StoreException} if the store
 * failed, and a {@link CollisionException} if it collided with another transaction: then close it and begin again.
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
     * Limits the wait of later writes for a row of another transaction to some tens of milliseconds, where the store
     * can. Then they throw a {@link CollisionException}. By default it does nothing.
     */
    default void waitBriefly() {
        // What cannot be limited is waited for.
    }

    /**
     * Ends {@link #waitBriefly}: later writes wait for rows of other transactions for about half a second. By default
     * it does nothing.
     */
    default void waitLonger() {
        // What cannot be limited is waited for.
    }

    /**
     * Returns whether the connection to the database is lost, so that nothing more can be written or committed; asked
     * after a failure. By default it returns false.
     */
    default boolean isLost() {
        return false;
    }

    /** Makes the writes durable. If it fails, they may or may not be durable. */
    void commit();

    /** Ends the transaction, and rolls back uncommitted writes. A repeat does nothing. */
    @Override
    void close();
}
