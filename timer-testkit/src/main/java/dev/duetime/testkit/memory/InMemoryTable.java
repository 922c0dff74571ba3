package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The committed timers by key. Not thread-safe: the store holds a lock. */
final class InMemoryTable {
    private final NavigableMap<TimerKey, StoredTimer> byKey = new TreeMap<>();
    private final InMemoryIndexes indexes = new InMemoryIndexes();

    /** The reasons why contents cannot be read, by identity: the next version of a row has the same content object. */
    private final IdentityHashMap<TimerContent, String> unreadable = new IdentityHashMap<>();

    /** Rows in an unknown state. They are shown as dead. */
    private final Set<StoredTimer> lost = new HashSet<>();

    /** Rows that have started, by identity: each write makes a new row, which has not started. */
    private final Set<StoredTimer> started = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<String, QueuePause> pauses = new HashMap<>();
    /** Read without the lock, so that a clock may read it while it holds locks of its own. */
    private final AtomicLong changes = new AtomicLong();

    /** The same by queue. */
    private final Map<String, Long> changesByQueue = new ConcurrentHashMap<>();

    /** Returns how often a timer or a pause was written or removed. */
    long changes() {
        return changes.get();
    }

    /** Returns how often a timer of a queue or its pause was written or removed. */
    long changes(String queue) {
        return changesByQueue.getOrDefault(queue, 0L);
    }

    private void changed(String queue) {
        changes.incrementAndGet();
        changesByQueue.merge(queue, 1L, Long::sum);
    }

    private final InMemoryTodos todos = new InMemoryTodos();
    private final Map<TimerKey, NavigableMap<Instant, Occurrence>> history = new HashMap<>();
    private final Map<String, NodeSample> samples = new TreeMap<>();

    /** Returns the history of recurring timers, by due time; to be changed by the caller. */
    Map<TimerKey, NavigableMap<Instant, Occurrence>> history() {
        return history;
    }

    /** Returns the samples of the nodes, by queue and node; to be changed by the caller. */
    Map<String, NodeSample> samples() {
        return samples;
    }

    InMemoryTodos todos() {
        return todos;
    }

    @Nullable
    StoredTimer get(TimerKey key) {
        return byKey.get(key);
    }

    Optional<StoredTimer> find(TimerKey key) {
        return Optional.ofNullable(get(key)).map(this::shown);
    }

    boolean isUnreadable(StoredTimer timer) {
        return unreadable.containsKey(timer.content());
    }

    /** Returns what is shown of a row. */
    StoredTimer shown(StoredTimer timer) {
        String reason = unreadable.get(timer.content());
        return reason == null ? timer : timer.unreadable(reason);
    }

    /** Damages a row, and returns the row before. */
    StoredTimer damage(TimerKey key, Damage damage) {
        StoredTimer row = Objects.requireNonNull(byKey.get(key), "row to damage");
        switch (damage) {
            case UNREADABLE_CONTENT -> unreadable.put(row.content(), "headers must be a JSON object of strings");
            case UNKNOWN_STATE -> putLost(InMemoryRows.inUnknownState(row));
            case AWAKE_THOUGH_ENDED -> put(InMemoryRows.awake(row));
            case INVALID_KEY -> throw new IllegalArgumentException("keys of this store are always valid");
        }
        return row;
    }

    /**
     * Returns the row that an outcome leaves, or null if it leaves none. An unreadable row stays unreadable.
     */
    @Nullable
    StoredTimer settled(StoredTimer standing, Settlement outcome) {
        StoredTimer left = InMemoryRows.settled(standing, outcome);
        String reason = unreadable.get(standing.content());
        if (left != null && reason != null) {
            unreadable.put(left.content(), reason);
        }
        return left;
    }

    private void putLost(StoredTimer timer) {
        put(timer);
        lost.add(timer);
    }

    /** Returns whether the row is in a known state, so that it may be changed. */
    boolean isInKnownState(StoredTimer timer) {
        return !lost.contains(timer);
    }

    void put(StoredTimer timer) {
        changed(timer.content().queue());
        StoredTimer before = byKey.put(timer.key(), timer);
        if (before != null) {
            changed(before.content().queue());
            forget(before);
        }
        indexes.add(timer);
    }

    void remove(StoredTimer timer) {
        changed(timer.content().queue());
        byKey.remove(timer.key());
        forget(timer);
    }

    private void forget(StoredTimer timer) {
        lost.remove(timer);
        started.remove(timer);
        indexes.remove(timer);
    }

    List<StoredTimer> query(TimerQuery query) {
        return matching(query, query.after())
                .limit(query.limit())
                .map(this::shown)
                .toList();
    }

    /** Returns all that match, in order of their keys. */
    Stream<StoredTimer> matching(TimerQuery query, @Nullable TimerKey after) {
        Collection<StoredTimer> candidates = (after == null ? byKey : byKey.tailMap(after, false)).values();
        return candidates.stream().filter(timer -> matches(query, timer));
    }

    private static boolean matches(TimerQuery query, StoredTimer timer) {
        return matches(query.state(), timer.state())
                && matches(query.queue(), timer.content().queue())
                && matches(query.tenantId(), timer.key().tenantId())
                && matches(query.type(), timer.content().type())
                && (query.dueFrom() == null || !timer.dueAt().isBefore(query.dueFrom()))
                && (query.dueBefore() == null || timer.dueAt().isBefore(query.dueBefore()))
                && matches(query.filters(), timer);
    }

    private static boolean matches(TimerQuery.Filters filters, StoredTimer timer) {
        StoredTimer.Failure failure = timer.failure();
        return matches(filters.correlationId(), timer.content().correlationId())
                && matches(filters.parallelKey(), timer.content().parallelKey())
                && (filters.idPrefix() == null || timer.key().timerId().startsWith(filters.idPrefix()))
                && matches(filters.errorClass(), failure == null ? null : failure.errorClass());
    }

    private static boolean matches(@Nullable Object wanted, @Nullable Object given) {
        return wanted == null || wanted.equals(given);
    }

    DueTimers due(DueQuery query) {
        return new InMemoryDueRead(query, shard -> indexes.scheduled(query.queue(), shard), unreadable).read();
    }

    NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        Optional<Instant> next = shards.stream()
                .flatMap(shard -> indexes.scheduled(queue, shard).stream()
                        .map(InMemoryIndexes::wakeAt)
                        .filter(wakeAt -> wakeAt.isAfter(after))
                        .limit(1))
                .min(Comparator.naturalOrder());
        return new NextDue(next.orElse(null), pauses.get(queue));
    }

    boolean pause(String queue, QueuePause pause) {
        changed(queue);
        return pauses.putIfAbsent(queue, pause) == null;
    }

    boolean resume(String queue) {
        changed(queue);
        return pauses.remove(queue) != null;
    }

    Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        Map<Integer, Integer> counts = new HashMap<>();
        shards.forEach(shard ->
                counts.put(shard, Math.min(indexes.scheduled(queue, shard).size(), atMost)));
        return counts;
    }

    /** Returns whether the timer is scheduled with this generation, and notes that it has started. */
    boolean start(TimerKey key, long generation) {
        StoredTimer standing = byKey.get(key);
        if (standing == null || standing.state() != TimerState.SCHEDULED || standing.generation() != generation) {
            return false;
        }
        if (!isStarted(standing)) {
            StoredTimer touched = InMemoryRows.touched(standing);
            put(touched);
            started.add(touched);
        }
        return true;
    }

    boolean isStarted(StoredTimer timer) {
        return started.contains(timer);
    }

    /** Returns the scheduled timers of a correlation key, the latest last. */
    NavigableSet<StoredTimer> correlated(String queue, String correlationKey) {
        return indexes.correlated(queue, correlationKey);
    }

    /** Ends timers that have expired; returns how many of each type. */
    Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        Map<String, Integer> ended = new HashMap<>();
        List<StoredTimer> over = indexes.scheduled(queue, shard).stream()
                .takeWhile(timer -> !InMemoryIndexes.wakeAt(timer).isAfter(now))
                .limit(limit)
                .filter(timer -> timer.isExpired(now)
                        && timer.content().recurrence() == null
                        && !unreadable.containsKey(timer.content()))
                .toList();
        for (StoredTimer timer : over) {
            if (keep) {
                put(InMemoryRows.expired(timer, now));
            } else {
                remove(timer);
            }
            ended.merge(timer.content().type(), 1, Integer::sum);
        }
        return ended;
    }

    int purge(String queue, Instant before, int limit) {
        int purged = 0;
        NavigableSet<StoredTimer> ended = indexes.purgeable(queue);
        while (purged < limit
                && !ended.isEmpty()
                && InMemoryIndexes.settledAt(ended.first()).isBefore(before)) {
            remove(ended.first());
            purged++;
        }
        return purged;
    }
}
