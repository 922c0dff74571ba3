package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.timer.StoredTimers;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The todos in memory by key, which of them run, and how many bytes they have. Guarded by the lock of its {@link
 * TodoBuffer}.
 */
final class TodoEntries {
    /** A tenant is busy if it has more than this part of the todos or of their bytes, or of a read. */
    private static final int BUSY_PART = 8;

    /** Bounds the statement that leaves out tenants. */
    private static final int MOST_TENANTS = 100;

    private final Map<TimerKey, Entry> byKey = new HashMap<>();

    /** The todos that run or are not settled. */
    private final Set<Entry> running = new HashSet<>();

    /** How many of these have an outcome that cannot be written now. */
    private int aside;

    /** The size of all entries, and of these. */
    private long bytes;

    private long asideBytes;

    private final int batchSize;
    private final long readBytes;
    private final boolean countsGroups;

    /** How many todos wait, by type and tenant, if these are counted. */
    private final Map<Group, Integer> waitingByGroup = new HashMap<>();

    /** The todos that a limit may hold back together. */
    record Group(String type, String tenant) {}

    /**
     * Creates it without todos.
     *
     * @param queue says how large a read is
     * @param countsGroups whether to count those that wait by type and tenant
     */
    TodoEntries(QueueSettings queue, boolean countsGroups) {
        batchSize = queue.batchSize();
        readBytes = queue.readBytes();
        this.countsGroups = countsGroups;
    }

    @Nullable
    Entry of(TimerKey key) {
        return byKey.get(key);
    }

    boolean contains(TimerKey key) {
        return byKey.containsKey(key);
    }

    boolean isRunning(Entry entry) {
        return running.contains(entry);
    }

    /** Returns the todos that do not run. */
    Stream<Entry> waiting() {
        return byKey.values().stream().filter(each -> !isRunning(each));
    }

    void add(Entry entry) {
        byKey.put(entry.todo.key(), entry);
        measure(entry, StoredTimers.bytes(entry.todo));
        countInGroup(entry, true);
    }

    /** Returns how many todos of some groups wait. Groups must be counted. */
    long countWaiting(Predicate<Group> which) {
        return waitingByGroup.entrySet().stream()
                .filter(each -> which.test(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void countInGroup(Entry entry, boolean waits) {
        if (!countsGroups) {
            return;
        }
        Group before = entry.group;
        if (before != null) {
            entry.group = null;
            waitingByGroup.computeIfPresent(before, (group, count) -> count == 1 ? null : count - 1);
        }
        if (waits) {
            Group group = new Group(LimitedTodos.typeOf(entry.todo), LimitedTodos.tenantOf(entry.todo));
            entry.group = group;
            waitingByGroup.merge(group, 1, Integer::sum);
        }
    }

    private void measure(Entry entry, long size) {
        bytes += size - entry.bytes;
        entry.bytes = size;
    }

    /** Replaces the todo of an entry by a later state of it. */
    void replace(Entry entry, StoredTimer todo, long readAtNanos) {
        measure(entry, StoredTimers.bytes(todo));
        entry.todo = todo;
        entry.readAtNanos = readAtNanos;
        countInGroup(entry, !isRunning(entry));
    }

    void remove(Entry entry) {
        if (byKey.remove(entry.todo.key()) != null) {
            measure(entry, 0);
            countInGroup(entry, false);
        }
    }

    void begin(Entry entry) {
        running.add(entry);
        countInGroup(entry, false);
    }

    /**
     * Notes that the outcome of a run cannot be written now. Only its place and its outcome stay in memory.
     *
     * @param size how many bytes the outcome has
     */
    void setAside(Entry entry, long size) {
        entry.todo = StoredTimers.withoutContent(entry.todo, null);
        measure(entry, size);
        entry.isAside = true;
        aside++;
        asideBytes += size;
    }

    void end(Entry entry) {
        if (running.remove(entry) && entry.isAside) {
            aside--;
            asideBytes -= entry.bytes;
        }
    }

    /** Returns the todos that run or are not settled. */
    Collection<Entry> running() {
        return running;
    }

    /**
     * Removes all todos that do not run, after an error between two changes.
     *
     * @param dropped called with each of them before it is removed
     */
    void keepRunning(Consumer<Entry> dropped) {
        byKey.values().removeIf(each -> {
            if (isRunning(each)) {
                return false;
            }
            dropped.accept(each);
            return true;
        });
        bytes = 0;
        aside = 0;
        asideBytes = 0;
        waitingByGroup.clear();
        for (Entry each : running) {
            bytes += each.bytes;
            aside += each.isAside ? 1 : 0;
            asideBytes += each.isAside ? each.bytes : 0;
        }
    }

    /** Returns the shards of todos that run or are not settled, without the given todos. */
    Set<Integer> runningShards(Set<TimerKey> without) {
        return running.stream()
                .filter(each -> !without.contains(each.todo.key()))
                .map(each -> each.todo.shard())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns the highest priority of the todos that do not run; the given one if there are none. */
    int highestPriorityOr(int priority) {
        return waiting().mapToInt(each -> each.todo.content().priority()).max().orElse(priority);
    }

    /** Returns the busy tenants: those with so many open todos that more of them may hide those of others. */
    Set<String> busyTenants() {
        Set<String> busy = larger(countByTenant(each -> 1), Math.max(open(), batchSize));
        busy.addAll(larger(countByTenant(each -> each.bytes), Math.max(openBytes(), readBytes)));
        return busy;
    }

    private static Set<String> larger(Map<String, Long> counts, long all) {
        Set<String> tenants = new HashSet<>(counts.keySet());
        tenants.removeIf(each -> counts.getOrDefault(each, 0L) <= all / BUSY_PART);
        return tenants;
    }

    /** Returns the tenants with the most open todos, all of them if they are not too many for a statement. */
    Set<String> largestTenants() {
        return countByTenant(each -> 1).entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_TENANTS)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Map<String, Long> countByTenant(ToLongFunction<Entry> size) {
        Map<String, Long> counts = new HashMap<>();
        for (Entry each : byKey.values()) {
            if (!each.isAside) {
                counts.merge(each.todo.key().tenantId(), size.applyAsLong(each), Long::sum);
            }
        }
        return counts;
    }

    int size() {
        return byKey.size();
    }

    /** Returns how many todos are open: all but those whose outcome cannot be written now. */
    int open() {
        return byKey.size() - aside;
    }

    /** Returns how many outcomes cannot be written now. */
    int aside() {
        return aside;
    }

    /** Returns how many bytes all todos have. */
    long bytes() {
        return bytes;
    }

    /** Returns how many bytes the outcomes have that cannot be written now. */
    long asideBytes() {
        return asideBytes;
    }

    /** Returns how many bytes the open todos have. */
    long openBytes() {
        return bytes - asideBytes;
    }
}
