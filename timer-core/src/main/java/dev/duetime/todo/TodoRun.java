package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.Timer;
import java.time.Instant;

/** One attempt at a step of a todo, as its handler sees it. Used by the thread that runs the handler. */
@Beta
public interface TodoRun {
    /** Returns which attempt at this step it is, from 1. */
    int attempt();

    /** Returns the time at which it began, the database's. */
    Instant startedAt();

    /**
     * Schedules a timer, or enqueues a todo, together with the outcome of this run: both or neither. With
     * a {@link dev.duetime.hosts.HostSet}, what lies on another host than the todo is stored just before the outcome,
     * and stands if that fails. It inherits the deadline of the todo that runs, if it has none or a later one, unless
     * {@link Timer.Builder#ownDeadline} was called.
     *
     * @throws IllegalArgumentException as {@link dev.duetime.Timers#schedule(Timer)}; also if its deadline is before
     *     its due time by that
     */
    void schedule(Timer timer);

    /**
     * Returns the transaction in which the outcome will be written, begun by the first call; what is written in it is
     * committed with the outcome, or not at all if the handler throws or the todo was changed meanwhile: so its effects
     * are exactly once. It holds a connection of the store's pool until the run is over.
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
