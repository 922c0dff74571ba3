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
 * The operations of an operator: {@code scheduler.admin()}. Works on every node, also before start and after close.
 * Thread-safe.
 *
 * <p>Operations on many timers work in batches of {@link TimerQuery#limit}, page by page from {@link TimerQuery#after}
 * to the end. Each batch is one transaction; payloads are not read. If two operators do the same at once, each timer is
 * counted by one of them. Timers that others schedule, deliver or change meanwhile may be skipped, and are then not
 * counted. If the database fails in the middle, the batches before it stay; the call may be repeated.
 */
public interface TimerAdmin {

    /**
     * Returns one page of timers, in order of their keys; the same as {@link Scheduler#query}.
     *
     * @throws StoreException if the database failed
     */
    List<StoredTimer> query(TimerQuery query);

    /**
     * Returns one timer with everything known about it, including failures; the same as {@link Scheduler#find}.
     *
     * @throws StoreException if the database failed
     */
    Optional<StoredTimer> find(TimerKey key);

    /**
     * Counts timers by queue and state, in this order, in one statement. Pairs without timers are left out. The cost
     * grows with the number of timers that match. For a dashboard use {@link QueueSample#pending}, which has a bounded
     * cost and is an estimate for large numbers.
     *
     * @param query its {@code after} and {@code limit} are ignored
     * @throws StoreException if the database failed
     */
    List<TimerCount> count(TimerQuery query);

    /**
     * Schedules a dead timer again, as a new generation. It has all its attempts again, and its envelopes have a new
     * id. It is delivered now, or at its due time if that is later. Content, due time, deadline and {@code
     * registeredAt} stay the same, and the failures stay on record. If its deadline has passed, it ends as {@link
     * TimerState#EXPIRED} at once.
     *
     * @return whether it was dead and is scheduled now
     * @throws StoreException if the database failed
     */
    boolean revive(TimerKey key);

    /**
     * Schedules all matching dead timers again, each like {@link #revive(TimerKey)}.
     *
     * @return how many
     * @throws IllegalArgumentException if the query asks for another state than {@link TimerState#DEAD}
     * @throws StoreException if the database failed
     */
    long revive(TimerQuery query);

    /**
     * Cancels all matching scheduled timers. Timers that this node is delivering are left alone and not counted. A
     * recurring timer is cancelled even then, whatever its current occurrence; that occurrence can still arrive.
     * Deliveries in flight on other nodes can also still arrive. Listeners get the numbers, {@linkplain
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
     * Deletes all matching timers that ended before a time; dead ones only if the query asks for {@link
     * TimerState#DEAD}. A later repeat of their {@code schedule} fires again.
     *
     * @param endedBefore compared with {@link StoredTimer#settledAt}
     * @return how many
     * @throws IllegalArgumentException if the query asks for {@link TimerState#SCHEDULED}, or {@code endedBefore} is
     *     null
     * @throws StoreException if the database failed
     */
    long purge(TimerQuery query, Instant endedBefore);

    /**
     * Pauses a queue: nothing of it is delivered or expires, on any node, also after restarts, until it is resumed.
     * This node begins no batch after the call. The others begin none after they have noticed, within {@link
     * QueueBuilder#pollInterval} (5 s by default). Batches that have begun are finished and settled. Scheduling and
     * cancelling still work. No timer is lost, but lateness grows. Pausing a paused queue changes nothing.
     *
     * @return whether it was not paused before
     * @throws IllegalArgumentException if this node does not know the queue
     * @throws StoreException if the database failed
     */
    boolean pause(String queue);

    /**
     * Resumes a paused queue. This node delivers due timers at once, oldest first; the others do so when they notice,
     * as for {@link #pause}. Timers whose deadline passed meanwhile expire.
     *
     * @return whether it was paused before
     * @throws IllegalArgumentException if this node does not know the queue
     * @throws StoreException if the database failed
     */
    boolean resume(String queue);

    /**
     * Returns, for each queue that this node knows, which node owns which shards, until when, and whether it is alive.
     * Costs two statements for each queue.
     *
     * @return by name of the queue
     * @throws StoreException if the database failed
     */
    List<QueueOverview> queues();

    /**
     * Returns the state of this node, as its loops last noted it. Does not query the database, so a probe never waits.
     */
    Health health();
}
