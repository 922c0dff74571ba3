package dev.duetime.spring;

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
final class CallersTransaction implements Supplier<Optional<Transaction>> {
    private final TimerStore store;

    CallersTransaction(TimerStore store) {
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
        WatchedTransaction watched = WatchedTransaction.current();
        if (watched == null) {
            throw new IllegalStateException(
                    "transaction must be begun by a transaction manager that is a bean but was by"
                            + " another one: Duetime would not notice its commit");
        }
        boolean takesConnections = watched.takesConnections();
        if (!takesConnections && !watched.isAnyOpen()) {
            return Optional.empty();
        }
        if (!(store instanceof JdbcScheduleStore jdbc)) {
            throw new IllegalStateException(
                    ("store must be a JdbcScheduleStore to join a transaction of Spring but was a %s:"
                                    + " use the bean Scheduler to commit at once")
                            .formatted(store.getClass().getName()));
        }
        if (!takesConnections && !watched.isOpen(TransactionSynchronizationManager.getResource(jdbc.dataSource()))) {
            throw new IllegalStateException("transaction must be of the timers' data source but was of"
                    + " another one: use the transaction manager of that data source, or the bean Scheduler"
                    + " to commit at once");
        }
        return Optional.of(
                JdbcTransaction.managed(new TransactionAwareDataSourceProxy(jdbc.dataSource()), watched::afterCommit));
    }
}
