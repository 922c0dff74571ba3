package dev.duetime.spring.internal.transaction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction that Spring has bound to the current thread: which connections are in it, and whether it is over.
 * Spring cannot tell: it reports a transaction as active, and keeps its connection bound, until all callbacks have run.
 * Such a callback may begin a transaction of another manager. So each connection is noted once, with its transaction.
 *
 * <p>It is registered when the transaction begins, with the highest precedence. So its callbacks after the commit or
 * rollback run before all others. Used by the transaction's thread.
 */
final class WatchedTransaction implements TransactionSynchronization, Ordered {
    /** The transaction of each connection that is or was bound to a thread; null if it was bound without one. */
    private static final Map<ConnectionHolder, @Nullable WatchedTransaction> BY_HOLDER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final boolean joinedByConnections;

    /** What is run after the commit. */
    private final List<Runnable> actions = new ArrayList<>();

    private boolean over;

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

    /**
     * Notes the connections that have been bound to the thread since the last call.
     *
     * @param transaction the transaction that has bound them; null if none has
     */
    static void note(@Nullable WatchedTransaction transaction) {
        bound().filter(holder -> !BY_HOLDER.containsKey(holder)).forEach(holder -> BY_HOLDER.put(holder, transaction));
    }

    /** Returns the transaction that is open on a connection; null if none is. */
    static @Nullable WatchedTransaction openOn(@Nullable Object holder) {
        WatchedTransaction transaction = holder instanceof ConnectionHolder known ? BY_HOLDER.get(known) : null;
        return transaction == null || transaction.over ? null : transaction;
    }

    /** Returns whether a transaction is open on any connection that is bound to the thread. */
    static boolean isAnyOpen() {
        return bound().anyMatch(holder -> openOn(holder) != null);
    }

    private static Stream<ConnectionHolder> bound() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .filter(ConnectionHolder.class::isInstance)
                .map(ConnectionHolder.class::cast);
    }

    /** Returns whether it has been committed or rolled back. */
    boolean isOver() {
        return over;
    }

    /** Returns whether a connection that is opened now takes part in the transaction, and is committed with it. */
    boolean takesConnections() {
        return joinedByConnections && !over;
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
        over = true;
        runActions();
    }

    @Override
    public void afterCompletion(int status) {
        over = true;
        if (status == STATUS_UNKNOWN) {
            runActions();
        }
    }

    private void runActions() {
        actions.forEach(Runnable::run);
        actions.clear();
    }
}
