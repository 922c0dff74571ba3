package dev.duetime.spring.internal.transaction;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.TimerStore;
import dev.duetime.store.Transaction;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The open transaction of the current thread, if Spring manages one. Callbacks that still run after the commit or
 * rollback are in no transaction. Thread-safe.
 */
public final class CallersTransaction implements Supplier<Optional<Transaction>> {
    private final TimerStore store;

    public CallersTransaction(TimerStore store) {
        this.store = store;
    }

    /**
     * Returns the transaction.
     *
     * @throws IllegalStateException if the thread is in a transaction that the store cannot join: writes would neither
     *     commit nor roll back with it
     */
    @Override
    public Optional<Transaction> get() {
        // While callbacks run after completion, there is no longer a synchronization.
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return Optional.empty();
        }
        WatchedTransaction current = WatchedTransaction.current();
        if (current == null) {
            throw new IllegalStateException(
                    "transaction must be begun by a transaction manager that is a bean but was by"
                            + " another one: Duetime would not notice its commit");
        }
        if (current.isOver() && !WatchedTransaction.isAnyOpen()) {
            return Optional.empty();
        }
        if (!(store instanceof JdbcScheduleStore jdbc)) {
            throw new IllegalStateException(
                    ("store must be a JdbcScheduleStore to join a transaction of Spring but was a %s:"
                                    + " use the bean Scheduler to commit at once")
                            .formatted(store.getClass().getName()));
        }
        WatchedTransaction open = current.takesConnections()
                ? current
                : WatchedTransaction.openOn(TransactionSynchronizationManager.getResource(jdbc.dataSource()));
        if (open == null) {
            throw new IllegalStateException("transaction must be of the timers' data source but was of"
                    + " another one: use the transaction manager of that data source, or the bean Scheduler"
                    + " to commit at once");
        }
        return Optional.of(
                JdbcTransaction.managed(new TransactionAwareDataSourceProxy(jdbc.dataSource()), open::afterCommit));
    }
}
