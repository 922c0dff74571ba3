package dev.duetime.jdbc.internal.tx;

import dev.duetime.StoreException;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/** A runner of statements in transactions: in the store's own, or in one that a caller owns. */
public interface Transactions {

    /**
     * Runs work that is one statement, in as few round trips as possible.
     *
     * @throws StoreException if the database failed
     */
    <T> T single(String operation, Object subject, Work<T> statement);

    /**
     * Runs work of several statements: all take effect or none. After a collision with another transaction it runs
     * again.
     *
     * @throws StoreException if the database failed
     */
    <T> T run(String operation, Object subject, Work<T> work);

    /** Returns whether work leaves rows that another transaction holds for later, instead of waiting. */
    default boolean isBrief() {
        return false;
    }

    /**
     * Returns whether a caller owns the transaction, so that its isolation level and its locks are the caller's too.
     */
    boolean isJoined();

    /**
     * Returns whether statements that write may wait for a locked row only briefly: then they fail with {@link
     * Collision#LOCKED}. False by default: they wait for as long as the database lets them.
     */
    default boolean waitsBriefly() {
        return false;
    }

    /**
     * Returns whether other work can run after work has failed, because each work has a transaction of its own. False
     * by default: the failure may have ended the transaction.
     */
    default boolean survivesFailure() {
        return false;
    }

    /** Work to be done in a transaction. It can be run again after a rollback. */
    @FunctionalInterface
    interface Work<T> {
        T run(Handle handle) throws SQLException;
    }
}
