package dev.duetime.spring;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction that Spring has bound to the current thread: which connections are in it, and whether it has been
 * committed. Spring cannot tell: it reports a transaction as active until all callbacks after the commit have run.
 *
 * <p>It is registered when the transaction begins, with the highest precedence. So its callback after the commit runs
 * before all others. Used by the transaction's thread.
 */
final class WatchedTransaction implements TransactionSynchronization, Ordered {
    private final boolean joinedByConnections;

    /** Each bound connection, and whether a transaction was open on it when it was noted. */
    private final IdentityHashMap<ConnectionHolder, Boolean> openByHolder = new IdentityHashMap<>();

    /** What is run after the commit. */
    private final List<Runnable> actions = new ArrayList<>();

    private boolean committed;

    /**
     * Creates a watch.
     *
     * @param joinedByConnections whether connections that are opened in the transaction take part in it, as in JTA
     */
    WatchedTransaction(boolean joinedByConnections) {
        this.joinedByConnections = joinedByConnections;
    }

    /** Returns the watch of the thread's current transaction, if the watch has seen it begin. */
    static @Nullable WatchedTransaction current() {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(WatchedTransaction.class::isInstance)
                .map(WatchedTransaction.class::cast)
                .findFirst()
                .orElse(null);
    }

    /** Notes the connections that have been bound to the thread since the last call. */
    void note(boolean open) {
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ConnectionHolder holder) {
                openByHolder.putIfAbsent(holder, open);
            }
        }
    }

    /** Returns whether a transaction is open on this connection. */
    boolean isOpen(@Nullable Object holder) {
        return holder instanceof ConnectionHolder && openByHolder.getOrDefault(holder, false);
    }

    /** Returns whether a transaction is open on any connection that is bound to the thread. */
    boolean isAnyOpen() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .anyMatch(this::isOpen);
    }

    /** Returns whether a connection that is opened now takes part in the transaction, and is committed with it. */
    boolean takesConnections() {
        return joinedByConnections && !committed;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Runs an action after the commit, also if it is not known whether the commit succeeded. */
    void afterCommit(Runnable action) {
        actions.add(action);
    }

    @Override
    public void afterCommit() {
        committed = true;
        openByHolder.replaceAll((holder, open) -> false);
        runActions();
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_UNKNOWN) {
            runActions();
        }
    }

    private void runActions() {
        actions.forEach(Runnable::run);
        actions.clear();
    }
}
