package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.engine.prompt.LoopAlarm;
import dev.duetime.engine.prompt.NearPlacement;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.GroupCommit;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.internal.Printable;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
    private final NearPlacement placement;
    private final LoopAlarm alarm;
    private final Map<String, HandlerSettings> handlers = new HashMap<>();
    private final Set<String> unhandled = ConcurrentHashMap.newKeySet();

    TimerIntake(
            ScheduleStore store,
            Clock clock,
            Listeners listeners,
            Merging merging,
            NearPlacement placement,
            LoopAlarm alarm,
            List<QueueSettings> queues) {
        this.store = store;
        this.listeners = listeners;
        this.merging = merging;
        this.placement = placement;
        this.alarm = alarm;
        groupCommit = new GroupCommit(store, clock);
        for (QueueSettings queue : queues) {
            HandlerSettings handler = queue.handler();
            if (handler != null) {
                handlers.put(queue.name(), handler);
            }
        }
    }

    /** Stores timers and wakes the loops. */
    List<ScheduleResult> store(List<NewTimer> resolved) {
        List<NewTimer> timers = placement.apply(resolved);
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
            alarm.mayBeCommitted(timers);
            throw e;
        }
        if (merges) {
            return stored(timers, merged, alarm::committed);
        }
        alarm.committed(written(timers, results));
        return notifyListeners(timers, results);
    }

    /**
     * Stores timers in a caller's transaction. If nothing tells of its commit, the loops poll for it, and other nodes
     * get no hint.
     */
    List<ScheduleResult> store(List<NewTimer> resolved, TimerWrites transaction) {
        List<NewTimer> timers = placement.apply(resolved);
        Consumer<List<NewTimer>> wake = written -> {
            if (!transaction.afterCommit(() -> alarm.committed(written))) {
                alarm.uncommitted(written);
            }
        };
        if (merging.concerns(timers)) {
            return stored(timers, merging.schedule(timers, transaction), wake);
        }
        List<ScheduleResult> results = transaction.schedule(timers);
        wake.accept(written(timers, results));
        return notifyListeners(timers, results);
    }

    /** Notifies listeners of timers that are committed, and wakes the loops. */
    void stored(List<NewTimer> timers, List<Merging.Stored> stored) {
        stored(timers, stored, alarm::committed);
    }

    private List<ScheduleResult> stored(
            List<NewTimer> timers, List<Merging.Stored> stored, Consumer<List<NewTimer>> wake) {
        List<ScheduleResult> results =
                stored.stream().map(Merging.Stored::result).toList();
        wake.accept(written(stored.stream().map(Merging.Stored::written).toList(), results));
        return notifyListeners(timers, results);
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

    /** Returns the timers that are scheduled now, in the order of their results. */
    private static List<NewTimer> written(List<NewTimer> timers, List<ScheduleResult> results) {
        return IntStream.range(0, results.size())
                .filter(i -> results.get(i).state() == TimerState.SCHEDULED)
                .mapToObj(timers::get)
                .toList();
    }
}
