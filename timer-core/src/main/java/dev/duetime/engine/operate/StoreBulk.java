package dev.duetime.engine.operate;

import dev.duetime.CancelResult;
import dev.duetime.Clock;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.internal.Micros;
import dev.duetime.store.Revival;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The bulk operations on one store: revive, deliver now, reschedule, cancel and purge all timers that a query finds, at
 * most {@code query.limit()} timers at a time. A batch is read by key and without content, and is written in its own
 * transaction, or in several if the store asks for that. A timer is changed only if its generation still matches. So a
 * timer that the engine or another operator changed meanwhile is skipped and not counted; but a recurring timer that
 * moved on is cancelled all the same. A timer that the database refuses to change stops no other one. Thread-safe.
 */
public final class StoreBulk implements BulkOperations {
    /** How many timers in a row may be refused before a call ends. Each costs two short statements. */
    private static final int MOST_REFUSED = 1_000;

    /** The same if another transaction holds any of them: each of those costs two waits. */
    private static final int MOST_HELD = 100;

    private final ScheduleStore store;
    private final Clock clock;
    private final LongSupplier generations;
    private final CancelGuard guard;
    private final Consumer<Instant> wake;
    private final IntPredicate goesOn;

    /**
     * Creates the operations.
     *
     * @param generations the source of tokens that no schedule ever had
     * @param guard knows which timers this node is delivering
     * @param wake wakes the loops of this node for timers that are due at a time
     */
    public StoreBulk(
            ScheduleStore store, Clock clock, LongSupplier generations, CancelGuard guard, Consumer<Instant> wake) {
        this(store, clock, generations, guard, wake, written -> true);
    }

    private StoreBulk(
            ScheduleStore store,
            Clock clock,
            LongSupplier generations,
            CancelGuard guard,
            Consumer<Instant> wake,
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
        return revive(store.admin(), List.of(new TimerVersion(key, generation, TimerState.DEAD, false))) > 0;
    }

    @Override
    public long revive(TimerQuery query) {
        return inBatches(query.state(TimerState.DEAD), null, this::revive);
    }

    private int revive(StoreAdmin admin, List<TimerVersion> dead) {
        Instant now = clock.now();
        return again(dead, now, revivals -> admin.revive(revivals, now));
    }

    @Override
    public boolean deliverNow(TimerKey key, long generation) {
        return deliverNow(store.admin(), List.of(new TimerVersion(key, generation, TimerState.SCHEDULED, false))) > 0;
    }

    @Override
    public long deliverNow(TimerQuery query) {
        return inBatches(query.state(TimerState.SCHEDULED), null, this::deliverNow);
    }

    private int deliverNow(StoreAdmin admin, List<TimerVersion> waiting) {
        Instant now = clock.now();
        return again(waiting, now, revivals -> admin.deliverNow(revivals, now));
    }

    @Override
    public boolean reschedule(TimerKey key, long generation, Instant dueAt) {
        return reschedule(store.admin(), List.of(new TimerVersion(key, generation, TimerState.SCHEDULED, false)), dueAt)
                > 0;
    }

    @Override
    public long reschedule(TimerQuery query, Instant dueAt) {
        return inBatches(query.state(TimerState.SCHEDULED), null, (admin, found) -> reschedule(admin, found, dueAt));
    }

    /** A todo that runs here would run again, so what is in delivery stays. */
    private int reschedule(StoreAdmin admin, List<TimerVersion> found, Instant dueAt) {
        List<TimerVersion> once = found.stream().filter(each -> !each.recurs()).toList();
        return guard.around(
                once, free -> free.isEmpty() ? 0 : again(free, dueAt, timers -> admin.reschedule(timers, dueAt)));
    }

    /**
     * Moves timers and wakes the loops.
     *
     * @param dueAt when the first of them is due
     */
    private int again(List<TimerVersion> timers, Instant dueAt, ToIntFunction<List<Revival>> write) {
        List<Revival> revivals = timers.stream()
                .map(each -> new Revival(each.key(), each.generation(), generations.getAsLong()))
                .toList();
        int written = timers.size();
        try {
            written = write.applyAsInt(revivals);
        } finally {
            // Wakes also after a failure: the reply may have been lost after the commit.
            if (written > 0) {
                wake.accept(Micros.floor(dueAt));
            }
        }
        return written;
    }

    @Override
    public long cancel(TimerQuery query, IntConsumer cancelled) {
        return inBatches(query.state(TimerState.SCHEDULED), null, StoreBulk::eachRecurringAlone, (admin, found) -> {
            int count = guard.around(found, free -> cancel(admin, free));
            if (count > 0) {
                cancelled.accept(count);
            }
            return count;
        });
    }

    private int cancel(StoreAdmin admin, List<TimerVersion> free) {
        if (free.isEmpty()) {
            return 0;
        }
        TimerVersion timer = free.get(0);
        if (!timer.recurs()) {
            return admin.cancel(free, clock.now());
        }
        return store.cancel(timer.key(), clock.now()) == CancelResult.CANCELLED ? 1 : 0;
    }

    /**
     * A recurring timer is cancelled whatever its current occurrence is. That is done one by one, because there are
     * few.
     */
    private static List<List<TimerVersion>> eachRecurringAlone(List<TimerVersion> found) {
        List<List<TimerVersion>> parts = new ArrayList<>();
        parts.add(found.stream().filter(each -> !each.recurs()).toList());
        found.stream().filter(TimerVersion::recurs).map(List::of).forEach(parts::add);
        return parts;
    }

    @Override
    public long purge(TimerQuery query, Instant endedBefore) {
        return inBatches(query, endedBefore, (admin, found) -> {
            List<TimerVersion> purged = query.state() == TimerState.DEAD
                    ? found
                    : found.stream()
                            .filter(each -> each.state() != TimerState.DEAD)
                            .toList();
            return purged.isEmpty() ? 0 : admin.delete(purged);
        });
    }

    /** Returns how many of the timers are written in one transaction. */
    private int atOnce(List<TimerVersion> timers) {
        return Math.max(1, Math.min(timers.size(), store.admin().changedAtOnce(timers)));
    }

    private long inBatches(
            TimerQuery query, @Nullable Instant endedBefore, ToIntBiFunction<StoreAdmin, List<TimerVersion>> write) {
        return inBatches(query, endedBefore, List::of, write);
    }

    /**
     * Changes all timers that can be changed. If the database refuses some, or others hold them, the first failure is
     * thrown in the end, or once too many in a row cannot be changed. A batch says little: it may be a single timer,
     * because the store examines a bounded number of timers for each.
     *
     * @param together divides a batch into parts that are written together
     */
    private long inBatches(
            TimerQuery query,
            @Nullable Instant endedBefore,
            Function<List<TimerVersion>, List<List<TimerVersion>>> together,
            ToIntBiFunction<StoreAdmin, List<TimerVersion>> write) {
        long written = 0;
        StoreAdmin admin = store.admin();
        StoreAdmin brief = admin.brief();
        RowsApart<TimerVersion> rows =
                new RowsApart<>(part -> write.applyAsInt(admin, part), part -> write.applyAsInt(brief, part));
        TimerQuery next = query;
        int inARow = 0;
        while (true) {
            TimerVersion.Page page = store.admin().versions(next, endedBefore);
            int refused = rows.refused().size();
            List<TimerVersion> left = page.timers();
            boolean ends;
            do {
                List<TimerVersion> part = left.subList(0, left.isEmpty() ? 0 : atOnce(left));
                left = left.subList(part.size(), left.size());
                int batch = together.apply(part).stream().mapToInt(rows::write).sum();
                written += batch;
                ends = !goesOn.test(batch);
            } while (!ends && !left.isEmpty());
            TimerKey end = page.next();
            boolean noneCan = rows.refused().size() - refused == page.timers().size();
            inARow = noneCan ? inARow + page.timers().size() : 0;
            if (ends || end == null || inARow >= (rows.held().isEmpty() ? MOST_REFUSED : MOST_HELD)) {
                rows.throwFirst();
                return written;
            }
            next = next.after(end);
        }
    }
}
