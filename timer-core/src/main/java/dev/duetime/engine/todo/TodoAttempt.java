package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.todo.TodoRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Is one attempt at a step: keeps what the handler wants written together with its outcome. Used by one thread. */
final class TodoAttempt implements TodoRun, AutoCloseable {
    private final StoredTimer todo;
    private final Instant startedAt;
    private final ScheduleStore store;
    private final Resolver resolver;
    private final List<NewTimer> scheduled = new ArrayList<>();
    private @Nullable OwnTransaction transaction;
    private @Nullable StoreException failure;
    private boolean joined;
    private boolean over;

    /** Checks and encodes what a handler schedules. */
    @FunctionalInterface
    interface Resolver {
        /** Returns the timer with the tighter of both deadlines. */
        NewTimer resolve(Timer timer, @Nullable Instant deadline);
    }

    TodoAttempt(StoredTimer todo, Instant startedAt, ScheduleStore store, Resolver resolver) {
        this.todo = todo;
        this.startedAt = startedAt;
        this.store = store;
        this.resolver = resolver;
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
        Transaction own = begun().transaction();
        if (!kind.isInstance(own)) {
            throw new IllegalArgumentException(
                    "transaction must be of the store's kind, a %s, but was asked for as a %s"
                            .formatted(own.getClass().getName(), kind.getName()));
        }
        joined = true;
        return kind.cast(own);
    }

    /** A store that gives no transaction, as a pool that is empty, is no failure of the handler. */
    private OwnTransaction begun() {
        try {
            return transaction();
        } catch (StoreException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns why the store gave the handler no transaction, if it asked for one in vain. */
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

    /** Returns the transaction that the handler joined, or another one. */
    OwnTransaction transaction() {
        OwnTransaction begun = transaction == null ? store.begin() : transaction;
        transaction = begun;
        return begun;
    }

    /** Takes back what was not committed. */
    @Override
    public void close() {
        OwnTransaction begun = transaction;
        transaction = null;
        if (begun != null) {
            begun.close();
        }
    }
}
