package dev.duetime.jdbc.internal.port;

import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.Transactions.Work;

/**
 * Writes of loops that give up soon on rows that another transaction holds, for example one of a node that was
 * suspended in the middle of it. Thread-safe.
 */
public final class BriefWrites {
    private final Transactions transactions;
    private final Dialect dialect;

    /**
     * Creates the writes.
     *
     * @param transactions waits as long as a loop waits for a row
     */
    public BriefWrites(Transactions transactions, Dialect dialect) {
        this.transactions = transactions;
        this.dialect = dialect;
    }

    /**
     * Runs work in one transaction.
     *
     * @throws dev.duetime.store.CollisionException if another transaction holds a row; then nothing was written
     */
    <T> T run(String operation, Object subject, Work<T> work) {
        return transactions.run(operation, subject, handle -> dialect.brieflyInTotal(handle, work));
    }
}
