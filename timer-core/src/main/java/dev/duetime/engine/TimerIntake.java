package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.GroupCommit;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Times;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in for resolved timers: it stores them, notifies listeners, and wakes the loops that deliver them.
 * Thread-safe.
 */
final class TimerIntake {
    private static final Logger LOG = LoggerFactory.getLogger(TimerIntake.class);

    /** At most so many unknown types are logged, which bounds memory. */
    private static final int MOST_UNHANDLED = 100;

    private final ScheduleStore store;
    private final Listeners listeners;
    private final Merging merging;
    private final GroupCommit groupCommit;
    private final QueueLoops loops;
    private final ShardOwner owner;
    private final Map<String, HandlerSettings> handlers = new HashMap<>();
    private final Set<String> unhandled = ConcurrentHashMap.newKeySet();

    TimerIntake(
            ScheduleStore store,
            Clock clock,
            Listeners listeners,
            Merging merging,
            QueueLoops loops,
            ShardOwner owner,
            List<QueueSettings> queues) {
        this.store = store;
        this.listeners = listeners;
        this.merging = merging;
        this.loops = loops;
        this.owner = owner;
        groupCommit = new GroupCommit(store, clock);
        for (QueueSettings queue : queues) {
            HandlerSettings handler = queue.handler();
            if (handler != null) {
                handlers.put(queue.name(), handler);
            }
        }
    }

    /** Stores timers and wakes the loops. */
    List<ScheduleResult> store(List<NewTimer> timers) {
        List<Merging.Stored> merged = List.of();
        List<ScheduleResult> results = List.of();
        boolean merges = merging.concerns(timers);
        try {
            if (merges) {
                merged = merging.schedule(timers, store);
            } else {
                results = groupCommit.schedule(timers);
            }
        } catch (RuntimeException | Error e) {
            mayBeStored(timers);
            throw e;
        }
        if (merges) {
            return stored(timers, merged, loops::wake);
        }
        earliest(timers, results).forEach(loops::wake);
        return notifyListeners(timers, results);
    }

    /** Stores timers in a caller's transaction, and lets the loops poll for its commit. */
    List<ScheduleResult> store(List<NewTimer> timers, TimerWrites transaction) {
        if (merging.concerns(timers)) {
            return stored(timers, merging.schedule(timers, transaction), loops::wakeUncommitted);
        }
        List<ScheduleResult> results = transaction.schedule(timers);
        earliest(timers, results).forEach(loops::wakeUncommitted);
        return notifyListeners(timers, results);
    }

    /** Notifies listeners of timers that are committed, and wakes the loops. */
    void stored(List<NewTimer> timers, List<Merging.Stored> stored) {
        stored(timers, stored, loops::wake);
    }

    private List<ScheduleResult> stored(
            List<NewTimer> timers, List<Merging.Stored> stored, BiConsumer<String, Instant> wake) {
        List<ScheduleResult> results =
                stored.stream().map(Merging.Stored::result).toList();
        earliest(stored.stream().map(Merging.Stored::written).toList(), results).forEach(wake);
        return notifyListeners(timers, results);
    }

    /** Lets the loops poll for timers whose write failed, because the reply of a commit may have been lost. */
    void mayBeStored(List<NewTimer> timers) {
        earliest(timers, each -> true).forEach(loops::wakeUncommitted);
    }

    private List<ScheduleResult> notifyListeners(List<NewTimer> timers, List<ScheduleResult> results) {
        for (int i = 0; i < results.size(); i++) {
            listeners.scheduled(results.get(i), timers.get(i).content());
            warnIfUnhandled(timers.get(i).content());
        }
        return results;
    }

    /** Logs once for each type that this node delivers the queue of a timer, and has no handler for it. */
    private void warnIfUnhandled(TimerContent content) {
        HandlerSettings handler = handlers.get(content.queue());
        if (handler != null
                && !handler.handler().handles(content.type())
                && unhandled.size() < MOST_UNHANDLED
                && unhandled.add(content.queue() + " " + content.type())) {
            LOG.warn(
                    "type {} is scheduled on queue {}, whose handler here does not know it; it waits for a node that"
                            + " does",
                    Printable.line(content.type()),
                    Printable.line(content.queue()));
        }
    }

    /** Returns the earliest due time that was written, by queue, of the timers that this node delivers. */
    private Map<String, Instant> earliest(List<NewTimer> timers, List<ScheduleResult> results) {
        return earliest(timers, i -> i < results.size() && results.get(i).state() == TimerState.SCHEDULED);
    }

    private Map<String, Instant> earliest(List<NewTimer> timers, IntPredicate isScheduled) {
        Map<String, Instant> earliest = new HashMap<>();
        Map<String, Set<Integer>> owned = new HashMap<>();
        for (int i = 0; i < timers.size(); i++) {
            NewTimer timer = timers.get(i);
            String queue = timer.content().queue();
            if (isScheduled.test(i)
                    && owned.computeIfAbsent(queue, owner::owned).contains(timer.shard())) {
                // A recurring timer may have kept an occurrence that is overdue.
                boolean recurs = timer.content().recurrence() != null;
                Instant wakeAt = recurs ? timer.registeredAt() : timer.content().dueAt();
                earliest.merge(queue, wakeAt, Times::earlier);
            }
        }
        return earliest;
    }
}
