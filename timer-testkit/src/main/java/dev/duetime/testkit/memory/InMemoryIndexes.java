package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The orders in which committed timers are read, other than by key. Not thread-safe: the store holds a lock. */
final class InMemoryIndexes {
    /** The order in which a loop reads due timers. */
    static final Comparator<StoredTimer> OLDEST_FIRST = Comparator.comparing(InMemoryIndexes::wakeAt)
            .thenComparing(StoredTimer::registeredAt)
            .thenComparing(StoredTimer::key);

    private static final Comparator<StoredTimer> ENDED_FIRST =
            Comparator.comparing(InMemoryIndexes::settledAt).thenComparing(StoredTimer::key);

    /** The last timer of a correlation key in this order is the one that another timer is merged with. */
    static final Comparator<StoredTimer> LATEST_LAST =
            Comparator.comparing(StoredTimer::dueAt).thenComparing(StoredTimer::key);

    private static final NavigableSet<StoredTimer> NONE = Collections.emptyNavigableSet();

    private final Map<Slice, NavigableSet<StoredTimer>> scheduled = new HashMap<>();
    private final Map<String, NavigableSet<StoredTimer>> purgeable = new HashMap<>();
    private final Map<Correlation, NavigableSet<StoredTimer>> correlated = new HashMap<>();

    void add(StoredTimer timer) {
        String queue = timer.content().queue();
        if (timer.state() == TimerState.SCHEDULED) {
            scheduled
                    .computeIfAbsent(new Slice(queue, timer.shard()), slice -> new TreeSet<>(OLDEST_FIRST))
                    .add(timer);
            String correlationKey = timer.content().correlationKey();
            if (correlationKey != null) {
                correlated
                        .computeIfAbsent(new Correlation(queue, correlationKey), key -> new TreeSet<>(LATEST_LAST))
                        .add(timer);
            }
        } else if (timer.state() != TimerState.DEAD) {
            purgeable.computeIfAbsent(queue, name -> new TreeSet<>(ENDED_FIRST)).add(timer);
        }
    }

    void remove(StoredTimer timer) {
        String queue = timer.content().queue();
        if (timer.state() == TimerState.SCHEDULED) {
            scheduled(queue, timer.shard()).remove(timer);
            String correlationKey = timer.content().correlationKey();
            if (correlationKey != null) {
                correlated.computeIfPresent(
                        new Correlation(queue, correlationKey), (key, timers) -> without(timers, timer));
            }
        } else if (timer.state() != TimerState.DEAD) {
            purgeable(queue).remove(timer);
        }
    }

    private static @Nullable NavigableSet<StoredTimer> without(NavigableSet<StoredTimer> timers, StoredTimer timer) {
        timers.remove(timer);
        return timers.isEmpty() ? null : timers;
    }

    /** Returns the scheduled timers of a shard, the oldest first. */
    NavigableSet<StoredTimer> scheduled(String queue, int shard) {
        return scheduled.getOrDefault(new Slice(queue, shard), NONE);
    }

    /** Returns the ended timers of a queue that a purge may delete, the one that ended first in front. */
    NavigableSet<StoredTimer> purgeable(String queue) {
        return purgeable.getOrDefault(queue, NONE);
    }

    /** Returns the scheduled timers of a correlation key, the latest last. */
    NavigableSet<StoredTimer> correlated(String queue, String correlationKey) {
        return Collections.unmodifiableNavigableSet(
                correlated.getOrDefault(new Correlation(queue, correlationKey), NONE));
    }

    static Instant wakeAt(StoredTimer timer) {
        return Objects.requireNonNull(timer.wakeAt(), "wakeAt of a scheduled timer");
    }

    static Instant settledAt(StoredTimer timer) {
        return Objects.requireNonNull(timer.settledAt(), "settledAt of an ended timer");
    }

    private record Correlation(String queue, String key) {}

    private record Slice(String queue, int shard) {}
}
