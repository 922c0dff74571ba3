package dev.duetime.engine.operate;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.Revival;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The bulk operations on one store: revive, deliver now, reschedule, cancel and purge all timers that a query finds, at
 * most {@code query.limit()} timers at a time. A batch is read by key and without content, and is written in its own
 * transaction. A timer is changed only if its generation still matches. So a timer that the engine or another operator
 * changed meanwhile is skipped and not counted; but a recurring timer that moved on is cancelled all the same.
 * Thread-safe.
 */
public final class StoreBulk implements BulkOperations {
    private final ScheduleStore store;
    private final Clock clock;
    private final LongSupplier generations;
    private final CancelGuard guard;
    private final Runnable wake;
    private final IntPredicate goesOn;

    /**
     * Creates the operations.
     *
     * @param generations the source of tokens that no schedule ever had
     * @param guard knows which timers this node is delivering
     * @param wake wakes the loops of this node
     */
    public StoreBulk(ScheduleStore store, Clock clock, LongSupplier generations, CancelGuard guard, Runnable wake) {
        this(store, clock, generations, guard, wake, written -> true);
    }

    private StoreBulk(
            ScheduleStore store,
            Clock clock,
            LongSupplier generations,
            CancelGuard guard,
            Runnable wake,
            IntPredicate goesOn) {
        this.store = store;
        this.clock = clock;
        this.generations = generations;
        this.guard = guard;
        this.wake = wake;
        this.goesOn = goesOn;
    }

    @Override
    public BulkOperations watched(IntPredicate check) {
        return new StoreBulk(store, clock, generations, guard, wake, check);
    }

    @Override
    public boolean revive(TimerKey key, long generation) {
        return revive(List.of(new TimerVersion(key, generation, TimerState.DEAD, false))) > 0;
    }

    @Override
    public long revive(TimerQuery query) {
        return inBatches(query.state(TimerState.DEAD), null, this::revive);
    }

    private int revive(List<TimerVersion> dead) {
        return again(dead, revivals -> store.admin().revive(revivals, clock.now()));
    }

    @Override
    public boolean deliverNow(TimerKey key, long generation) {
        return deliverNow(List.of(new TimerVersion(key, generation, TimerState.SCHEDULED, false))) > 0;
    }

    @Override
    public long deliverNow(TimerQuery query) {
        return inBatches(query.state(TimerState.SCHEDULED), null, this::deliverNow);
    }

    private int deliverNow(List<TimerVersion> waiting) {
        return again(waiting, revivals -> store.admin().deliverNow(revivals, clock.now()));
    }

    @Override
    public boolean reschedule(TimerKey key, long generation, Instant dueAt) {
        return reschedule(List.of(new TimerVersion(key, generation, TimerState.SCHEDULED, false)), dueAt) > 0;
    }

    @Override
    public long reschedule(TimerQuery query, Instant dueAt) {
        return inBatches(query.state(TimerState.SCHEDULED), null, found -> reschedule(found, dueAt));
    }

    /** A todo that runs here would run again, so what is in delivery stays. */
    private int reschedule(List<TimerVersion> found, Instant dueAt) {
        List<TimerVersion> once = found.stream().filter(each -> !each.recurs()).toList();
        return guard.around(
                once,
                free -> free.isEmpty() ? 0 : again(free, timers -> store.admin().reschedule(timers, dueAt)));
    }

    private int again(List<TimerVersion> timers, ToIntFunction<List<Revival>> write) {
        List<Revival> revivals = timers.stream()
                .map(each -> new Revival(each.key(), each.generation(), generations.getAsLong()))
                .toList();
        int written = timers.size();
        try {
            written = write.applyAsInt(revivals);
        } finally {
            // Wakes also after a failure: the reply may have been lost after the commit.
            if (written > 0) {
                wake.run();
            }
        }
        return written;
    }

    @Override
    public long cancel(TimerQuery query, IntConsumer told) {
        return inBatches(query.state(TimerState.SCHEDULED), null, found -> {
            int cancelled = guard.around(found, this::cancel);
            if (cancelled > 0) {
                told.accept(cancelled);
            }
            return cancelled;
        });
    }

    /**
     * A recurring timer is cancelled whatever its current occurrence is. That is done one by one, because there are
     * few.
     */
    private int cancel(List<TimerVersion> free) {
        List<TimerVersion> once = free.stream().filter(each -> !each.recurs()).toList();
        int cancelled = once.isEmpty() ? 0 : store.admin().cancel(once, clock.now());
        for (TimerVersion timer : free) {
            if (timer.recurs() && store.cancel(timer.key(), clock.now()) == CancelResult.CANCELLED) {
                cancelled++;
            }
        }
        return cancelled;
    }

    @Override
    public long purge(TimerQuery query, Instant endedBefore) {
        return inBatches(query, endedBefore, found -> {
            List<TimerVersion> purged = query.state() == TimerState.DEAD
                    ? found
                    : found.stream()
                            .filter(each -> each.state() != TimerState.DEAD)
                            .toList();
            return purged.isEmpty() ? 0 : store.admin().delete(purged);
        });
    }

    private long inBatches(TimerQuery query, @Nullable Instant endedBefore, ToIntFunction<List<TimerVersion>> write) {
        long written = 0;
        TimerQuery next = query;
        while (true) {
            TimerVersion.Page page = store.admin().versions(next, endedBefore);
            int batch = page.timers().isEmpty() ? 0 : write.applyAsInt(page.timers());
            written += batch;
            TimerKey end = page.next();
            if (!goesOn.test(batch) || end == null) {
                return written;
            }
            next = next.after(end);
        }
    }
}
