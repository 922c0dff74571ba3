package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write of a run's outcome in one transaction with what its handler wrote and scheduled: all or nothing. Stateless.
 */
final class OutcomeTransaction {
    private static final int ATTEMPTS = 10;

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final UserCode userCode;

    /**
     * Creates the writer of a worker.
     *
     * @param userCode calls code of the user, which here are merges
     */
    OutcomeTransaction(TodoNode node, TodoBuffer buffer, UserCode userCode) {
        this.node = node;
        this.buffer = buffer;
        this.userCode = userCode;
    }

    /**
     * Writes the outcome.
     *
     * @return whether it was written; false if the todo has changed meanwhile and must be read again
     * @throws ElsewhereException if another store, where some of the timers lie, failed
     * @throws CollisionException if another transaction was in the way each time, such as one that holds the row
     * @throws StoreException if the store failed
     * @throws RuntimeException if a merge threw
     */
    boolean write(Entry entry, List<Settlement> settlements, TodoAttempt attempt) {
        // This runs first, while no lock of the settlement is held: no database would detect a deadlock over two
        // stores. It runs once: the timers that it merges or creates there stay, even if the settlement collides.
        List<NewTimer> own = merging(() -> node.scheduleElsewhere(attempt.scheduled()));
        for (int i = 1; ; i++) {
            try {
                return writeOnce(entry, settlements, own, attempt.transaction());
            } catch (CollisionException e) {
                if (attempt.isJoined() || i == ATTEMPTS) {
                    throw e;
                }
                attempt.close();
            } catch (RuntimeException | Error e) {
                node.mayBeStored(own);
                throw e;
            }
        }
    }

    private boolean writeOnce(
            Entry entry, List<Settlement> settlements, List<NewTimer> own, OwnTransaction transaction) {
        // Only another transaction can hold the row of this todo. While a worker waits, it keeps a connection from
        // other threads. So the wait is short.
        transaction.waitBriefly();
        for (Settlement each : settlements) {
            if (transaction.writes().settle(List.of(each)) == 0) {
                node.listeners().overtaken(node.queue().name(), 1);
                return false;
            }
        }
        if (!own.isEmpty()) {
            // Handlers that merge into the same todo wait for each other, instead of running again.
            transaction.waitLonger();
        }
        List<Merging.Stored> stored = merging(() -> node.schedule(own, transaction.writes()));
        transaction.commit();
        Settlement last = settlements.get(settlements.size() - 1);
        node.inFlight().settled(settlements);
        buffer.settled(List.of(new DoneTodo(entry, last, next(last, node.clock().now()))));
        node.scheduled(own, stored);
        return true;
    }

    /** Runs code that may call merges. A merge may throw an undeclared exception, or leave the interrupt flag set. */
    private <T> T merging(UserCode.Call<T> call) {
        Answer<T> answer = userCode.call(call);
        T value = answer.value();
        if (value != null) {
            return value;
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
