package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.Timer;
import java.time.Instant;

/** One attempt at a step of a todo, as its handler sees it. Used by the thread that runs the handler. */
@Beta
public interface TodoRun {
    /** Returns the number of this attempt at the step, from 1. */
    int attempt();

    /** Returns the time at which it began, the database's. */
    Instant startedAt();

    /**
     * Schedules a timer, or enqueues a todo, together with the outcome of this run: both or neither. With a {@link
     * dev.duetime.hosts.HostSet}, a timer of another host is stored just before the outcome, and stays if the outcome
     * fails. A timer without a deadline, or with a later one, inherits the deadline of the running todo, unless {@link
     * Timer.Builder#ownDeadline} was called.
     *
     * @throws IllegalArgumentException as {@link dev.duetime.Timers#schedule(Timer)}; also if its deadline is before
     *     its due time by that
     */
    void schedule(Timer timer);

    /**
     * Returns the transaction in which the outcome will be written. The first call begins it. Its writes are committed
     * together with the outcome. If the handler throws, or the todo was changed in the meantime, nothing is committed.
     * So its effects happen exactly once. It holds a connection of the store's pool until the run ends.
     *
     * <p>Waits while other handlers of this node hold as many transactions as the store allows: three quarters of a
     * pool, so that the engine still finds a connection. A run that is interrupted during this wait is no failed
     * attempt.
     *
     * @param kind the kind of transactions of the store that is used
     * @throws IllegalArgumentException if the store has no such transactions
     * @throws dev.duetime.StoreException if the store failed
     */
    <T> T transaction(Class<T> kind);
}
