package dev.duetime.spring.internal.transaction;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction that Spring has bound to the current thread: which resources, such as connections, are in it, and
 * whether it is over. Spring cannot tell: it reports a transaction as active, and keeps its connection bound, until all
 * callbacks have run. Such a callback may begin a transaction of another manager. So each resource is noted once, with
 * its transaction.
 *
 * <p>It is registered when the transaction begins, with the highest precedence. So its callbacks after the commit or
 * rollback run before all others. The managers of brokers have no callbacks: Spring does not report their transactions
 * as active, and reports one around them as suspended, although its connection stays bound. Such a transaction is known
 * by its resources alone, and its manager tells of its end. Used by the transaction's thread.
 */
final class WatchedTransaction implements TransactionSynchronization, Ordered {
    /** The transaction of each resource that is or was bound to a thread; null if it was bound without one. */
    private static final Map<ResourceHolder, @Nullable WatchedTransaction> BY_HOLDER =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** Weak, because it refers to the resources, and the map is to forget those. */
    private final WeakReference<TransactionExecution> execution;

    private final boolean joinedByConnections;
    private final boolean hasCallbacks = TransactionSynchronizationManager.isSynchronizationActive();

    /** What is run after the commit. */
    private final List<Runnable> actions = new ArrayList<>();

    private boolean over;

    /**
     * Creates a watch of a transaction that has just begun.
     *
     * @param joinedByConnections whether connections that are opened in the transaction take part in it, as in JTA
     */
    WatchedTransaction(TransactionExecution execution, boolean joinedByConnections) {
        this.execution = new WeakReference<>(execution);
        this.joinedByConnections = joinedByConnections;
    }

    /** Registers it for the callbacks of its transaction, if that has any. */
    void register() {
        if (hasCallbacks) {
            TransactionSynchronizationManager.registerSynchronization(this);
        }
    }

    /** Returns the watch of the thread's current transaction, if that has callbacks and the watch has seen it begin. */
    static @Nullable WatchedTransaction current() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return null;
        }
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(WatchedTransaction.class::isInstance)
                .map(WatchedTransaction.class::cast)
                .findFirst()
                .orElse(null);
    }

    /**
     * Notes the resources that have been bound to the thread since the last call.
     *
     * @param transaction the transaction that has bound them; null if none has
     */
    static void note(@Nullable WatchedTransaction transaction) {
        bound(ResourceHolder.class)
                .filter(holder -> !BY_HOLDER.containsKey(holder))
                .forEach(holder -> BY_HOLDER.put(holder, transaction));
    }

    /** Returns the transaction that is open on a resource; null if none is. */
    static @Nullable WatchedTransaction openOn(@Nullable Object resource) {
        WatchedTransaction transaction = resource instanceof ResourceHolder holder ? BY_HOLDER.get(holder) : null;
        return transaction == null || transaction.over ? null : transaction;
    }

    /** Returns whether a transaction is open on any connection that is bound to the thread. */
    static boolean isAnyOpenOnAConnection() {
        return bound(ConnectionHolder.class).anyMatch(holder -> openOn(holder) != null);
    }

    /** Returns whether a transaction without callbacks, such as that of a broker, is open on the thread. */
    static boolean isAnyOpenWithoutCallbacks() {
        return bound(ResourceHolder.class)
                .map(WatchedTransaction::openOn)
                .anyMatch(open -> open != null && !open.hasCallbacks);
    }

    /** Ends a transaction that has no callbacks. Its resources are still bound. */
    static void ended(TransactionExecution execution, Consumer<WatchedTransaction> how) {
        bound(ResourceHolder.class)
                .map(WatchedTransaction::openOn)
                .filter(open -> open != null && !open.hasCallbacks && open.execution.refersTo(execution))
                .findFirst()
                .ifPresent(how);
    }

    private static <T extends ResourceHolder> Stream<T> bound(Class<T> type) {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .filter(type::isInstance)
                .map(type::cast);
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
