package dev.duetime.admin;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a page for operators shows of many timers: {@code scheduler.admin().views()}. Each call reads a bounded number
 * of index entries and rows, however many timers there are. An answer that would need more says so; only {@link
 * #timers} is refused instead. No call reads a payload. Thread-safe.
 */
public interface TimerViews {

    /**
     * Returns one page of timers like {@link TimerAdmin#query}, without their payloads.
     *
     * @throws IllegalArgumentException if the database would have to examine too many timers: see {@link
     *     TimerQuery#allowScan}
     * @throws StoreException if the database failed
     */
    List<TimerSummary> timers(TimerQuery query);

    /**
     * Returns scheduled timers of a queue in the order in which they wake, then by key. A timer wakes at its due time,
     * or at the time of its retry. So the first page without a start shows what has been due for longest. If more than
     * 2,000 timers of a queue wake at one instant, the pages may leave some of these out. The time of a call grows with
     * the limit.
     *
     * @throws StoreException if the database failed
     */
    List<TimerSummary> upcoming(UpcomingQuery query);

    /**
     * Counts timers that match, no further than {@code most}. Conditions that no index answers are tested on 5,000
     * timers at most.
     *
     * @param query its {@code after}, {@code limit} and {@code scans} are ignored
     * @param most 1 to 50,000
     * @throws IllegalArgumentException if {@code most} is out of range
     * @throws StoreException if the database failed
     */
    BoundedCount countUpTo(TimerQuery query, int most);

    /**
     * Groups dead timers by queue, type and {@linkplain StoredTimer.Failure#errorClass error class}, the largest group
     * first. Examines the first 5,000 dead timers in order of their keys; of a tenant, if the query names one.
     *
     * @param query its {@code state}, {@code after}, {@code limit} and {@code scans} are ignored
     * @throws StoreException if the database failed
     */
    DeadGroups deadGroups(TimerQuery query);

    /**
     * Counts the scheduled timers of a queue by the time at which they wake. Large numbers, and numbers of queues with
     * more than 8 shards, are estimated from a part of the shards. On MariaDB and MySQL the more slots, the fewer
     * shards: one of them for more than 32 slots.
     *
     * @param from the beginning of the first slot
     * @param width how long each slot is, at least a millisecond
     * @param slots how many, 1 to 60
     * @return one number for each slot, in order
     * @throws IllegalArgumentException if an argument is out of range
     * @throws StoreException if the database failed
     */
    List<DueCount> forecast(String queue, Instant from, Duration width, int slots);

    /**
     * Returns one page of the scheduled timers that recur, in order of their keys. Examines up to 1,000 scheduled
     * timers where no index finds them; then a page may be short, or empty, and still have a next one.
     *
     * @param tenantId only those of this tenant; null for all
     * @param after only those with a key after this one; null for the first page
     * @param limit how many at most, 1 to 1,000
     * @throws IllegalArgumentException if {@code limit} is out of range
     * @throws StoreException if the database failed
     */
    RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit);

    /**
     * Returns what became of the last 20 occurrences of a recurring timer, the latest first.
     *
     * @return nothing if no {@linkplain dev.duetime.SchedulerBuilder#occurrenceHistory history} is kept
     * @throws IllegalArgumentException if {@code key} is null
     * @throws StoreException if the database failed
     */
    List<Occurrence> occurrences(TimerKey key);

    /**
     * Returns the to-do lists that have open items, in order of their names, at most 100. Counts up to 1,000 items of
     * each of the first 20, and up to 200 of each later one.
     *
     * @param now an item is overdue if its time is not after this one
     * @throws IllegalArgumentException if {@code now} is null or out of range
     * @throws StoreException if the database failed
     */
    List<TodoListSummary> todoLists(Instant now);

    /**
     * Returns open items of a to-do list, in the order in which they are overdue.
     *
     * @param after the last item of the page before; null for the first page
     * @param limit how many at most, 1 to 1,000
     * @throws IllegalArgumentException if an argument is out of range
     * @throws StoreException if the database failed
     */
    List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit);
}
