package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.engine.limits.TransactionPermits;
import dev.duetime.internal.UserCode;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.todo.TodoRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a step. It collects what the handler wants to be written together with its outcome. Used by one
 * thread.
 */
final class TodoAttempt implements TodoRun, AutoCloseable {
    private final StoredTimer todo;
    private final Instant startedAt;
    private final ScheduleStore store;
    private final TransactionPermits permits;
    private final Resolver resolver;
    private final List<NewTimer> scheduled = new ArrayList<>();
    private @Nullable OwnTransaction transaction;
    private @Nullable Runnable permit;
    private @Nullable StoreException failure;
    private boolean waitInterrupted;
    private boolean joined;
    private boolean over;

    /** The check and encoding of what a handler schedules. */
    @FunctionalInterface
    interface Resolver {
        /** Returns the timer with the tighter of both deadlines. */
        NewTimer resolve(Timer timer, @Nullable Instant deadline);
    }

    TodoAttempt(StoredTimer todo, Instant startedAt, TodoNode node) {
        this.todo = todo;
        this.startedAt = startedAt;
        this.store = node.store();
        this.permits = node.transactions();
        this.resolver = node.resolver();
    }

    @Override
    public int attempt() {
        return todo.attempt() + 1;
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public void schedule(Timer timer) {
        checkRunning();
        scheduled.add(resolver.resolve(timer, todo.content().expiresAt()));
    }

    @Override
    public <T> T transaction(Class<T> kind) {
        checkRunning();
        UserCode.clearInterruptOfEngine();
        Transaction own = begun().transaction();
        if (!kind.isInstance(own)) {
            throw new IllegalArgumentException(
                    "transaction must be of the store's kind, a %s, but was asked for as a %s"
                            .formatted(own.getClass().getName(), kind.getName()));
        }
        joined = true;
        return kind.cast(own);
    }

    /** A store may refuse a transaction, for example if its pool is empty. That is no failure of the handler. */
    private OwnTransaction begun() {
        try {
            return transaction();
        } catch (StoreException e) {
            failure = waitInterrupted ? failure : e;
            throw e;
        }
    }

    /** Returns the error of the store that refused the handler a transaction; null if there was none. */
    @Nullable
    StoreException failure() {
        return failure;
    }

    private void checkRunning() {
        if (over) {
            throw new IllegalStateException("the run of todo " + todo.key() + " is over");
        }
    }

    /** Ends the run of the handler: nothing is added any more. */
    void end() {
        over = true;
    }

    List<NewTimer> scheduled() {
        return scheduled;
    }

    /** Returns whether the handler wrote in the transaction, so that it has to run again if that is lost. */
    boolean isJoined() {
        return joined;
    }

    /** Returns whether the handler wrote in a transaction that cannot be committed, since its connection was lost. */
    boolean hasLostConnection() {
        return joined && transaction != null && transaction.isLost();
    }

    /**
     * Returns the transaction that the handler joined, or another one. Waits while the workers of this node hold as
     * many transactions as the store allows.
     *
     * @throws StoreException if the store failed, or the worker was interrupted while it waited
     */
    OwnTransaction transaction() {
        OwnTransaction known = transaction;
        if (known != null) {
            return known;
        }
        if (permit == null) {
            permit = acquired();
        }
        OwnTransaction begun = store.begin();
        transaction = begun;
        return begun;
    }

    private Runnable acquired() {
        try {
            return permits.acquire();
        } catch (InterruptedException e) {
            waitInterrupted = true;
            Thread.currentThread().interrupt();
            InterruptedException why = new InterruptedException(
                    "interrupted while other handlers held as many transactions as the pool of connections allows");
            why.initCause(e);
            throw new StoreException("begin a transaction of", todo.key(), why);
        }
    }

    /** Returns whether the worker was interrupted while it waited for its turn to hold a transaction. */
    boolean isWaitInterrupted() {
        return waitInterrupted;
    }

    /** Rolls back uncommitted writes. */
    @Override
    public void close() {
        OwnTransaction begun = transaction;
        Runnable held = permit;
        transaction = null;
        permit = null;
        try {
            if (begun != null) {
                begun.close();
            }
        } finally {
            if (held != null) {
                held.run();
            }
        }
    }
}
