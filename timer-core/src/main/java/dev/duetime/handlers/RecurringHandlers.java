package dev.duetime.handlers;

import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.internal.timer.DeclaredTimers;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reconciliation of the stored recurring timers of handlers with the declared ones. If nothing is to be done, it
 * costs one read. Thread-safe.
 */
final class RecurringHandlers {
    private static final String PREFIX = "handlers/";

    private final String queue;
    private final Map<TimerKey, Declared> timers = new HashMap<>();
    private final Set<TimerKey> removed;

    /** A timer and its recurrence. */
    private record Declared(Timer timer, Recurrence recurrence) {

        boolean is(@Nullable StoredTimer stored) {
            return stored != null && TimerContents.recursBy(stored.content(), recurrence);
        }
    }

    RecurringHandlers(String queue, Map<String, Recurrence> declared, Set<String> removed) {
        this.queue = queue;
        this.removed = Set.copyOf(removed.stream().map(name -> key(queue, name)).toList());
        declared.forEach((name, recurrence) -> {
            TimerKey key = key(queue, name);
            timers.put(key, new Declared(timer(key, name, recurrence), recurrence));
        });
    }

    static TimerKey key(String queue, String name) {
        return TimerKey.of(DeclaredTimers.TENANT, PREFIX + queue + "/" + name);
    }

    /** Returns the timer. An ended one begins again; only an operator or an unreadable row can end one. */
    private Timer timer(TimerKey key, String name, Recurrence recurrence) {
        return Timer.recurring(key, recurrence)
                .queue(queue)
                .type(name)
                .neverExpires() // CatchUp decides about late occurrences.
                .rearm()
                .build();
    }

    boolean isAny() {
        return !timers.isEmpty() || !removed.isEmpty();
    }

    /**
     * Stores what is missing or recurs otherwise, and cancels what was removed. A timer that cannot be written, such as
     * one that never recurs, stops no other one: the first failure is thrown in the end.
     *
     * @return until when nothing is to be done, unless something is written to the store
     */
    Instant reconcile(Scheduler scheduler) {
        Map<TimerKey, StoredTimer> scheduled = DeclaredTimers.scheduled(queue, scheduler::query);
        List<Timer> missing = new ArrayList<>();
        timers.forEach((key, declared) -> {
            if (!declared.is(scheduled.get(key))) {
                missing.add(declared.timer());
            }
        });
        RowsApart<Timer> stored =
                new RowsApart<>(each -> scheduler.scheduleAll(each).size());
        stored.write(missing);
        List<TimerKey> left = removed.stream().filter(scheduled::containsKey).toList();
        RowsApart<TimerKey> cancelled = new RowsApart<>(key -> {
            scheduler.cancel(key.get(0));
            return 1;
        });
        left.forEach(key -> cancelled.write(List.of(key)));
        stored.throwFirst();
        cancelled.throwFirst();
        return missing.isEmpty() && left.isEmpty() ? Instant.MAX : Instant.MIN;
    }
}
