package dev.duetime.admin;

import dev.duetime.QueueBuilder;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.listener.OperatorListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.listener.TimerListener;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

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
     * Returns these operations on behalf of a person. The name is reported to {@link OperatorListener}s, logged, and
     * kept with a pause.
     *
     * @param operator the person's name, 1 to 255 characters without control characters
     * @throws IllegalArgumentException if the name is null or out of range
     */
    TimerAdmin by(String operator);

    /**
     * Returns these operations with a check after each batch of an operation on many timers.
     *
     * @param goesOn receives how many timers of the batch were changed; if it returns false, the operation ends there,
     *     and returns how many it has changed. If it throws, so does the operation
     * @throws IllegalArgumentException if {@code goesOn} is null
     */
    TimerAdmin watched(IntPredicate goesOn);

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

    /** Returns the reads with a bounded cost that a page for operators needs. */
    TimerViews views();

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
     * Delivers a scheduled timer or todo now: its due time and its next retry move up to now, as by a reschedule. It is
     * a new generation, with all its attempts again and a new envelope id. Everything else stays: content, deadline,
     * {@code registeredAt}, and the failures on record. If its deadline has passed, it ends as {@link
     * TimerState#EXPIRED}. This node delivers it at once; another owner of its shard notices it within {@link
     * QueueBuilder#pollInterval} (5 s by default).
     *
     * <p>A timer that is due already is left alone: it is being delivered, or waits for its turn. So is a recurring
     * timer whose occurrence is in the future, because its recurrence alone decides about its times. A retry of an
     * occurrence moves up like any other. On a paused queue the timer waits until the queue is resumed.
     *
     * @return whether it was scheduled for later and is due now
     * @throws StoreException if the database failed
     */
    boolean deliverNow(TimerKey key);

    /**
     * Delivers all matching scheduled timers and todos now, each like {@link #deliverNow(TimerKey)}.
     *
     * @param query must name a tenant, a type, a queue, a due time or a filter, so that nobody delivers everything by
     *     mistake
     * @return how many were scheduled for later and are due now
     * @throws IllegalArgumentException if the query asks for another state than {@link TimerState#SCHEDULED}, or for
     *     everything
     * @throws StoreException if the database failed
     */
    long deliverNow(TimerQuery query);

    /**
     * Moves a scheduled timer or todo to another due time, as by a reschedule: it is a new generation, with all its
     * attempts again and a new envelope id. Everything else stays: content, deadline, {@code registeredAt}, and the
     * failures on record. A time in the past makes it due at once. A new time that is earlier is noticed at once by
     * this node, and by other owners of its shard within {@link QueueBuilder#pollInterval} (5 s by default).
     *
     * <p>A recurring timer is left alone, because its recurrence decides about its times. So is one that this node has
     * in delivery. One that another node has in delivery is moved, but that delivery can still arrive. If the program
     * repeats its {@code schedule} before the delivery, the timer moves back.
     *
     * @param dueAt rounded up to a microsecond
     * @return whether it was scheduled, and was moved
     * @throws IllegalArgumentException if {@code dueAt} is null, outside the years 1 to 9999, or after the timer's
     *     deadline
     * @throws StoreException if the database failed
     */
    boolean reschedule(TimerKey key, Instant dueAt);

    /**
     * Moves all matching scheduled timers and todos to another due time, each like {@link #reschedule(TimerKey,
     * Instant)}. Those whose deadline is before {@code dueAt} are left alone.
     *
     * @param query must name a tenant, a type, a queue, a due time or a filter, so that nobody moves everything by
     *     mistake
     * @return how many were moved
     * @throws IllegalArgumentException if {@code dueAt} is null or outside the years 1 to 9999, or the query asks for
     *     another state than {@link TimerState#SCHEDULED}, or for everything
     * @throws StoreException if the database failed
     */
    long reschedule(TimerQuery query, Instant dueAt);

    /**
     * Cancels one timer; the same as {@link Scheduler#cancel}, and reported as what an operator did.
     *
     * @return whether it was cancelled
     * @throws StoreException if the database failed
     */
    boolean cancel(TimerKey key);

    /**
     * Cancels all matching scheduled timers. Timers that this node is delivering are left alone and not counted. A
     * recurring timer is cancelled even then, whatever its current occurrence; that occurrence can still arrive.
     * Deliveries in flight on other nodes can also still arrive. Listeners get the numbers, {@linkplain
     * TimerListener#cancelled(TimerQuery, int) batch by batch}.
     *
     * @param query must name a tenant, a type, a queue, a due time or a filter, so that nobody cancels everything by
     *     mistake
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
     * Pauses a queue like {@link #pause(String)}, and keeps the reason for others to see.
     *
     * @param reason why, 1 to 1,000 characters without control characters
     * @return whether it was not paused before
     * @throws IllegalArgumentException if this node does not know the queue, or the reason is null or out of range
     * @throws StoreException if the database failed
     */
    boolean pause(String queue, String reason);

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
     * Returns how much the nodes have delivered of each queue that this node knows, as they last wrote it down. They
     * write every five seconds while somebody calls this method, and stop half a minute after the last call. So the
     * first call returns old numbers, or none.
     *
     * @return by name of the queue
     * @throws StoreException if the database failed
     */
    List<QueueActivity> activity();

    /**
     * Returns the limits that hold for the whole cluster, of each queue that this node knows, and which node uses how
     * much of them. A limit that no node has needed yet is left out. Costs one statement, which reads one row for each
     * limit and node.
     *
     * @return by queue and name; with several hosts, by host, because each one has limits of its own
     * @throws StoreException if the database failed
     */
    List<LimitUse> limits();

    /**
     * Returns the state of this node, as its loops last noted it. Does not query the database, so a probe never waits.
     */
    Health health();
}
