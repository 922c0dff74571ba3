package dev.duetime.jdbc.internal.connection;

import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.Transactions.Work;

/**
 * Writes of loops that give up soon on rows that another transaction holds, for example one of a node that was
 * suspended in the middle of it. Thread-safe.
 */
public final class BriefWrites {
    private final Transactions transactions;
    private final LockWaits locks;

    /**
     * Creates the writes.
     *
     * @param transactions waits as long as a loop waits for a row
     */
    public BriefWrites(Transactions transactions, LockWaits locks) {
        this.transactions = transactions;
        this.locks = locks;
    }

    /**
     * Runs work in one transaction.
     *
     * @throws dev.duetime.store.CollisionException if another transaction holds a row; then nothing was written
     */
    public <T> T run(String operation, Object subject, Work<T> work) {
        return transactions.run(operation, subject, handle -> locks.brieflyInTotal(handle, work));
    }
}
