package dev.duetime.admin;

import dev.duetime.QueueBuilder;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.listener.QueueSample;
import dev.duetime.listener.TimerListener;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Is what an operator works with: {@code scheduler.admin()}. Works on every node, also before start and after close.
 * Thread-safe.
 *
 * <p>What concerns many timers is done in batches of {@link TimerQuery#limit}, page by page from {@link TimerQuery#after} to
 * the end, each batch a transaction of its own; payloads are not read. Two operators may do the same at once: each timer is
 * counted by one of them. What is scheduled, delivered or changed by others meanwhile may be passed over, and is not
 * counted. If the database fails in the middle, the batches before stand; repeating the call is safe.
 */
public interface TimerAdmin {

    /**
     * Returns one page of timers, in order of their keys; the same as {@link Scheduler#query}.
     *
     * @throws StoreException if the database failed
     */
    List<StoredTimer> query(TimerQuery query);

    /**
     * Returns one timer with all that is known of it, failures included; the same as {@link Scheduler#find}.
     *
     * @throws StoreException if the database failed
     */
    Optional<StoredTimer> find(TimerKey key);

    /**
     * Counts timers by queue and state, in this order, in one statement; a pair of which there is none is left out. Its cost
     * grows with the number of timers that the conditions leave to be looked at. For a dashboard there is {@link
     * QueueSample#pending}, which costs a bounded amount and is an estimate where there are many.
     *
     * @param query its {@code after} and {@code limit} are ignored
     * @throws StoreException if the database failed
     */
    List<TimerCount> count(TimerQuery query);

    /**
     * Schedules a dead timer again, as a new generation: it has all its attempts again, and its envelopes a new id. It is delivered now,
     * or when it is due if that is later. Content, due time, deadline and {@code registeredAt} stay; so do the failures on
     * record, for those who look back. One whose deadline has passed ends as {@link TimerState#EXPIRED} at once.
     *
     * @return whether it was dead and is scheduled now
     * @throws StoreException if the database failed
     */
    boolean revive(TimerKey key);

    /**
     * Schedules all dead timers that match again, each as {@link #revive(TimerKey)} does.
     *
     * @return how many
     * @throws IllegalArgumentException if the query asks for another state than {@link TimerState#DEAD}
     * @throws StoreException if the database failed
     */
    long revive(TimerQuery query);

    /**
     * Cancels all scheduled timers that match, as {@code cancel} does: those that this node has in delivery are left alone and
     * not counted, and deliveries in flight on other nodes can still arrive, as can one of a recurring timer here, which is
     * cancelled whichever occurrence stands. Listeners are told how many, {@linkplain
     * TimerListener#cancelled(TimerQuery, int) batch by batch}.
     *
     * @param query must name a tenant, a type, a queue or a due time, so that nobody cancels everything by mistake
     * @return how many will not be delivered
     * @throws IllegalArgumentException if the query asks for another state than {@link TimerState#SCHEDULED}, or for
     *     everything
     * @throws StoreException if the database failed
     */
    long cancel(TimerQuery query);

    /**
     * Deletes all ended timers that match and ended before a time; dead ones only if the query asks for {@link
     * TimerState#DEAD}. A repeat of their {@code schedule} that comes later fires again.
     *
     * @param endedBefore compared with {@link StoredTimer#settledAt}
     * @return how many
     * @throws IllegalArgumentException if the query asks for {@link TimerState#SCHEDULED}, or {@code endedBefore} is null
     * @throws StoreException if the database failed
     */
    long purge(TimerQuery query, Instant endedBefore);

    /**
     * Pauses a queue: nothing of it is delivered, nor expires, on any node, also after restarts, until it is resumed. This
     * node begins no batch after the call, the others none after they noticed: within {@link QueueBuilder#pollInterval}, 5 s by
     * default. Batches that have begun are finished and settled.
     * Scheduling and cancelling work on; nothing is lost, lateness grows. Pausing a paused queue changes nothing.
     *
     * @return whether it was not paused
     * @throws IllegalArgumentException if this node does not know the queue
     * @throws StoreException if the database failed
     */
    boolean pause(String queue);

    /**
     * Resumes a paused queue: this node delivers what is due at once, oldest first, the others when they notice, as with
     * {@link #pause}. Timers whose deadline passed meanwhile expire.
     *
     * @return whether it was paused
     * @throws IllegalArgumentException if this node does not know the queue
     * @throws StoreException if the database failed
     */
    boolean resume(String queue);

    /**
     * Shows which node owns which shards of each queue that this node knows, until when, and whether it is alive; two
     * statements a queue.
     *
     * @return by name of the queue
     * @throws StoreException if the database failed
     */
    List<QueueOverview> queues();

    /** Returns how this node fares, as its loops last noted it; asks the database nothing, so that a probe never waits. */
    Health health();
}
