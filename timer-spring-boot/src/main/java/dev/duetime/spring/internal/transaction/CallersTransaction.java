package dev.duetime.spring.internal.transaction;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.store.TimerStore;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The open transaction of the current thread, if Spring manages one. Callbacks that still run after the commit or
 * rollback are in no transaction. Thread-safe.
 */
public final class CallersTransaction implements Supplier<Optional<Transaction>> {
    private final TimerStore store;
    private final boolean autoCommits;

    /**
     * Creates it, outside of any transaction.
     *
     * @throws IllegalStateException if the store's data source gives no connection
     */
    public CallersTransaction(TimerStore store) {
        this.store = store;
        autoCommits = store instanceof JdbcScheduleStore jdbc && autoCommits(jdbc);
    }

    private static boolean autoCommits(JdbcScheduleStore jdbc) {
        try (Connection connection = jdbc.dataSource().getConnection()) {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            throw new StartRefusedException(
                    "store of timers could not be opened",
                    "check that the login may use the database",
                    Failures.withoutValues(e));
        }
    }

    /**
     * Returns the transaction.
     *
     * @throws IllegalStateException if the thread is in a transaction that the store cannot join: writes would neither
     *     commit nor roll back with it
     */
    @Override
    public Optional<Transaction> get() {
        WatchedTransaction own = ofTheStore();
        if (own == null && !isInTransaction()) {
            return Optional.empty();
        }
        if (!(store instanceof JdbcScheduleStore jdbc)) {
            throw new IllegalStateException(
                    ("store must be a JdbcScheduleStore to join a transaction of Spring but was a %s:"
                                    + " use the bean Scheduler to commit at once")
                            .formatted(store.getClass().getName()));
        }
        WatchedTransaction open = own == null ? ofJta() : own;
        return Optional.of(
                JdbcTransaction.managed(new TransactionAwareDataSourceProxy(jdbc.dataSource()), open::afterCommit));
    }

    /**
     * Returns the transaction that is open on the store's connection; null if none is. A transaction of another
     * manager may have begun inside. All code of the application then still uses that connection.
     */
    private @Nullable WatchedTransaction ofTheStore() {
        return store instanceof JdbcScheduleStore jdbc
                ? WatchedTransaction.openOn(TransactionSynchronizationManager.getResource(jdbc.dataSource()))
                : null;
    }

    /** Returns whether a transaction is open that has not bound a connection of the store. */
    private static boolean isInTransaction() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return WatchedTransaction.isAnyOpenWithoutCallbacks();
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // While callbacks run after completion, there is no longer a synchronization.
            return false;
        }
        WatchedTransaction current = WatchedTransaction.current();
        if (current == null) {
            throw new IllegalStateException(
                    "transaction must be begun by a transaction manager that is a bean but was by"
                            + " another one: Duetime would not notice its commit");
        }
        return !current.isOver() || WatchedTransaction.isAnyOpenOnAConnection();
    }

    /** Returns the transaction in which each connection takes part. */
    private WatchedTransaction ofJta() {
        WatchedTransaction current = WatchedTransaction.current();
        if (current == null || !current.takesConnections()) {
            throw new IllegalStateException("transaction must be of the timers' data source but was of"
                    + " another one: use the transaction manager of that data source, or the bean Scheduler"
                    + " to commit at once");
        }
        if (!autoCommits) {
            // A connection that takes part in no transaction would look like one that does, and nobody would commit it.
            throw new IllegalStateException("timers' data source must be in auto-commit mode outside of transactions to"
                    + " join a transaction of JTA, but is not: set auto-commit to true, or use the bean Scheduler"
                    + " to commit at once");
        }
        return current;
    }
}
