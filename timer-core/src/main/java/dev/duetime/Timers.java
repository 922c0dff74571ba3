package dev.duetime;

import dev.duetime.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls that schedule, cancel and find timers: the scheduler itself, or its view inside a transaction of the
 * caller's ({@link Scheduler#in}). Thread-safe; a view is as thread-safe as its transaction.
 */
public interface Timers {

    /**
     * Stores the timer, atomically and durably: when the call returns, the timer fires even if the process dies. Inside
     * a caller's transaction it is durable when that commits.
     *
     * <p>Idempotent by key: see {@link ScheduleOutcome}.
     *
     * @return what was done
     * @throws IllegalArgumentException if the queue is unknown, or the payload is larger than the limit
     * @throws PayloadException if the payload cannot be encoded
     * @throws TimerExpiredException if the deadline has passed and the call is no repeat of a stored timer; nothing is
     *     written
     * @throws StoreException if the database failed; the timer may or may not be stored, repeating the call is safe
     */
    default ScheduleResult schedule(Timer timer) {
        return scheduleAll(List.of(Limits.given("timer", timer))).get(0);
    }

    /**
     * Stores a timer that carries a key, a due time and a payload only.
     *
     * @param payload what it carries; null for nothing
     * @return what was done
     * @throws IllegalArgumentException as {@link #schedule(Timer)}
     */
    default ScheduleResult schedule(TimerKey key, Instant dueAt, @Nullable Object payload) {
        return schedule(Timer.at(key, dueAt).payload(payload).build());
    }

    /**
     * Stores a timer that is due after a delay and carries a payload only.
     *
     * @param payload what it carries; null for nothing
     * @return what was done
     * @throws IllegalArgumentException as {@link #schedule(Timer)}
     */
    default ScheduleResult schedule(TimerKey key, Duration delay, @Nullable Object payload) {
        return schedule(Timer.after(key, delay).payload(payload).build());
    }

    /**
     * Stores all timers or none. A key that occurs more than once is scheduled in the given order, so that the last
     * wins. The hosts of a {@link dev.duetime.hosts.HostSet} commit one after the other: if one fails, timers on the
     * hosts before it stay stored, and the error names these hosts.
     *
     * @param timers any number; none is legal and does nothing
     * @return what was done with each, in the given order
     * @throws IllegalArgumentException as {@link #schedule(Timer)}; then none is stored
     * @throws PayloadException if a payload cannot be encoded; then none is stored
     * @throws TimerExpiredException if one would be refused by {@link #schedule(Timer)}; then none is stored
     * @throws StoreException if the database failed; all may be stored or none, or with several hosts a part: repeating
     *     the call is safe
     */
    List<ScheduleResult> scheduleAll(Collection<Timer> timers);

    /**
     * Cancels a scheduled timer.
     *
     * @return what was done
     * @throws StoreException if the database failed; repeating the call is safe
     */
    CancelResult cancel(TimerKey key);

    /**
     * Returns the timer with this key, also an ended one until it is purged.
     *
     * @throws StoreException if the database failed
     */
    Optional<StoredTimer> find(TimerKey key);

    /**
     * Returns the time by which timers are due: the database's time. It is never ahead of that by more than the drift
     * of this machine's clock in a minute.
     */
    Instant now();
}
