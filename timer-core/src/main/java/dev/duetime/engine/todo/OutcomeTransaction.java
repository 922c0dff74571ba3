package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settle.HeldKeys;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A write of a run's outcome in one transaction with what its handler wrote and scheduled: all or nothing. A worker
 * does not wait for long for what other transactions hold: then the outcome is kept. Stateless.
 */
final class OutcomeTransaction {
    /** Bounds the tries if each of them collides at once, as in a deadlock. */
    private static final int ATTEMPTS = 10;

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final UserCode userCode;
    private final HeldKeys heldKeys;

    /**
     * Creates the writer of a thread.
     *
     * @param userCode calls code of the user, which here are merges
     */
    OutcomeTransaction(TodoNode node, TodoBuffer buffer, UserCode userCode) {
        this.node = node;
        this.buffer = buffer;
        this.userCode = userCode;
        heldKeys = node.heldKeys();
    }

    /**
     * An outcome that was not written, with all that is written together with it.
     *
     * @param entry the todo in the buffer
     * @param todo the todo that ran
     * @param settlements its steps, the outcome at the end
     * @param own the timers that its handler scheduled in this store
     * @param keys the correlation keys that the timers may have to wait for
     */
    record Together(Entry entry, StoredTimer todo, List<Settlement> settlements, List<NewTimer> own, Set<String> keys) {

        /** Returns the same without payloads that are not written. */
        Together kept() {
            List<Settlement> written = settlements.stream()
                    .map(each -> new DoneTodo(entry, each, null).kept().settlement())
                    .toList();
            return new Together(entry, StoredTimers.withoutContent(todo, todo.failure()), written, own, keys);
        }

        Settlement last() {
            return settlements.get(settlements.size() - 1);
        }

        /** Returns the step that ends the run of the todo in the buffer: the others are those of a later generation. */
        DoneTodo first() {
            return new DoneTodo(entry, settlements.get(0), null);
        }

        DoneTodo ended() {
            return new DoneTodo(entry, last(), null);
        }
    }

    /**
     * Writes the outcome of a run that has just ended.
     *
     * @param keeper gets the outcome if other transactions are in the way, unless the handler joined its transaction
     * @return whether the run has an outcome; false if the todo has changed meanwhile and must be read again
     * @throws ElsewhereException if another store, where some of the timers lie, failed
     * @throws LockedException if others were seen to hold what the handler schedules; nothing was tried
     * @throws CollisionException if another transaction was in the way, such as one that holds the row
     * @throws StoreException if the store failed
     * @throws RuntimeException if a merge threw
     */
    boolean write(
            Entry entry,
            StoredTimer todo,
            List<Settlement> settlements,
            TodoAttempt attempt,
            Consumer<Together> keeper) {
        Set<String> keys = node.keys(attempt.scheduled());
        boolean waits = heldKeys.mayWait(keys);
        boolean mayTry = heldKeys.mayTry(keys);
        if (!mayTry && attempt.isJoined()) {
            throw new LockedException(
                    "schedule from", todo.key(), new TimeoutException("another transaction holds a correlation key"));
        }
        // This runs first, while no lock of the settlement is held: no database would detect a deadlock over two
        // stores. It runs once: the timers that it merges or creates there stay, even if the settlement collides.
        List<NewTimer> own = merging(() -> node.scheduleElsewhere(attempt.scheduled()));
        Together together = new Together(entry, todo, settlements, own, keys);
        try {
            if (mayTry) {
                return tryFor(together, attempt, waits);
            }
        } catch (CollisionException e) {
            if (attempt.isJoined()) {
                throw e;
            }
        }
        // Its connection is for others.
        attempt.close();
        keeper.accept(together);
        return true;
    }

    private boolean tryFor(Together together, TodoAttempt attempt, boolean waits) {
        for (int i = 1; ; i++) {
            try {
                return write(together, attempt.transaction(), waits, true);
            } catch (CollisionException e) {
                if (e.hasWaited()) {
                    heldKeys.met(together.keys());
                }
                if (attempt.isJoined() || e.hasWaited() || i == ATTEMPTS) {
                    throw e;
                }
                attempt.close();
            }
        }
    }

    /**
     * Writes an outcome once more that was kept.
     *
     * @param waits whether to wait for what other transactions hold
     * @return whether it was written; false if the todo has changed meanwhile
     * @throws CollisionException if another transaction was in the way
     * @throws StoreException if the store failed
     * @throws RuntimeException if a merge threw
     */
    boolean writeKept(Together together, OwnTransaction transaction, boolean waits) {
        return write(together, transaction, waits, false);
    }

    /**
     * Writes everything in a transaction.
     *
     * @param waits whether to wait for what other transactions hold
     * @param goesOn whether the next step may run here at once
     */
    private boolean write(Together together, OwnTransaction transaction, boolean waits, boolean goesOn) {
        List<NewTimer> own = together.own();
        try {
            // Only another transaction can hold the row of this todo. While a worker waits, it keeps a connection from
            // other threads. So the wait is short.
            transaction.waitBriefly();
            for (Settlement each : together.settlements()) {
                if (transaction.writes().settle(List.of(each)) == 0) {
                    node.listeners().overtaken(node.queue().name(), 1);
                    return false;
                }
            }
            if (!own.isEmpty() && waits) {
                // Handlers that merge into the same todo wait for each other.
                transaction.waitLonger();
            }
            List<Merging.Stored> stored = merging(() -> node.schedule(own, transaction.writes()));
            transaction.commit();
            Settlement last = together.last();
            heldKeys.free(together.keys());
            node.inFlight().settled(together.settlements());
            StoredTimer next = goesOn ? next(last, node.clock().now()) : null;
            buffer.settled(List.of(new DoneTodo(together.entry(), last, next)));
            node.scheduled(own, stored);
            return true;
        } catch (CollisionException e) {
            throw e;
        } catch (LockedException e) {
            throw new CollisionException("settle", together.todo().key(), e, true);
        } catch (RuntimeException | Error e) {
            node.mayBeStored(own);
            throw e;
        }
    }

    /**
     * Runs code that may call merges. A merge may throw an undeclared exception, or leave the interrupt flag set.
     *
     * @throws StoreException if a close has interrupted a merge, which is no failure of it
     */
    private <T> T merging(UserCode.Call<T> call) {
        Answer<T> answer = userCode.call(call);
        T value = answer.value();
        if (value != null) {
            return value;
        }
        if (answer.isInterrupted()) {
            throw new StoreException("merge from", "a handler", Objects.requireNonNull(answer.error()));
        }
        if (answer.error() instanceof RuntimeException exception) {
            throw exception;
        }
        if (answer.error() instanceof Error error) {
            throw error;
        }
        throw new UndeclaredThrowableException(answer.error(), "a merge threw what it does not declare");
    }

    /** Returns the todo with its next step if that step is due already; else null. */
    static @Nullable StoredTimer next(Settlement settlement, Instant now) {
        if (settlement instanceof Settlement.Advanced advanced) {
            Instant wakeAt = advanced.next().wakeAt();
            return wakeAt != null && !wakeAt.isAfter(now) ? advanced.next() : null;
        }
        return null;
    }
}
