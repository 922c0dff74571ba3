package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The todos that a buffer holds: those that wait in their lanes, and those that run or are not settled. Not
 * thread-safe: the buffer holds a lock.
 */
final class BufferedTodos {
    /** A todo that was read longer ago may have been changed meanwhile. It is read again before it runs. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** The number of batches that the workers still have when the next one is read. */
    private static final int AHEAD = 2;

    /** The bytes of payloads in the buffer above which reads become smaller. */
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    /** The number of todos of a type or tenant that the buffer holds while there is no permit for them. */
    private static final int HELD_BACK = 32;

    private final int batchSize;
    private final Clock clock;
    private final QueuePermits permits;
    private final TodoLanes lanes;
    private final Map<TimerKey, Entry> entries = new HashMap<>();
    private final Set<Entry> running = new HashSet<>();

    /**
     * The todos that were settled during a read, which may return their former state. The value is the generation that
     * must not run again; null if the todo must be read again.
     */
    private final Map<TimerKey, @Nullable Long> settledSince = new HashMap<>();

    /** The size of the payloads of all entries. */
    private long bytes;

    private boolean readsAgain;

    /** The todos that are no longer here although they may be due. */
    private final List<StoredTimer> dropped = new ArrayList<>();

    /** Whether all lanes that are ready wait for permits. */
    private boolean heldBack;

    /** Types and tenants without permits of which todos were read for which there was no room. */
    private final Set<String> leftTypes = new HashSet<>();

    private final Set<String> leftTenants = new HashSet<>();

    BufferedTodos(QueueSettings queue, TodoMode mode, Clock clock, QueuePermits permits) {
        this.batchSize = queue.batchSize();
        this.clock = clock;
        this.permits = permits;
        lanes = new TodoLanes(mode, queue.limits().parallelKey(), this::readAgain);
    }

    TodoLanes lanes() {
        return lanes;
    }

    /** Begins a read: it may still show the former state of todos that are settled from now on. */
    void beginRead() {
        settledSince.clear();
    }

    /** Makes the loop read all due todos again. */
    void readAgain() {
        readsAgain = true;
    }

    private void drop(StoredTimer todo) {
        readsAgain = true;
        dropped.add(todo);
    }

    /** Takes the todos that are no longer here although they may be due. */
    List<StoredTimer> takeDropped() {
        List<StoredTimer> taken = List.copyOf(dropped);
        dropped.clear();
        return taken;
    }

    /** Returns whether the loop must read all due todos again. */
    boolean mustReadAgain() {
        return readsAgain;
    }

    /** Returns whether the loop must read all due todos again, and resets the request. */
    boolean takeReadsAgain() {
        boolean again = readsAgain;
        readsAgain = false;
        if (again) {
            leftTypes.clear();
            leftTenants.clear();
        }
        return again;
    }

    /** Returns whether the todo runs, or was settled during the read. Another generation of it is read again later. */
    boolean isTaken(StoredTimer todo) {
        if (Objects.equals(settledSince.get(todo.key()), todo.generation())) {
            return true;
        }
        Entry known = entries.get(todo.key());
        if (known != null && running.contains(known)) {
            if (known.todo.generation() != todo.generation()) {
                known.superseded = true;
                dropped.add(todo);
            }
            return true;
        }
        boolean settled = settledSince.containsKey(todo.key());
        if (settled) {
            drop(todo);
        }
        return settled;
    }

    /** Adds the todos that were read. Returns those for which there was no room. */
    List<StoredTimer> admit(List<StoredTimer> read) {
        long nanos = clock.nanoTime();
        Set<String> types = permits.blockedTypes();
        Set<String> tenants = permits.blockedTenants();
        List<StoredTimer> left = new ArrayList<>();
        for (StoredTimer todo : read) {
            if (isHeldBack(todo, types, tenants) || !admit(todo, nanos)) {
                left.add(todo);
            }
        }
        return left;
    }

    /** Returns whether a new todo would wait for a permit behind many others that wait for the same one. */
    private boolean isHeldBack(StoredTimer todo, Set<String> types, Set<String> tenants) {
        String type = todo.content().type();
        String tenant = todo.key().tenantId();
        if (entries.containsKey(todo.key())) {
            return false;
        }
        boolean ofType = types.contains(type) && waitingOf(type, null) >= HELD_BACK;
        boolean ofTenant = tenants.contains(tenant) && waitingOf(null, tenant) >= HELD_BACK;
        if (ofType) {
            leftTypes.add(type);
        }
        if (ofTenant) {
            leftTenants.add(tenant);
        }
        return ofType || ofTenant;
    }

    private long waitingOf(@Nullable String type, @Nullable String tenant) {
        return entries.values().stream()
                .filter(this::waits)
                .filter(each -> type == null || type.equals(each.todo.content().type()))
                .filter(each -> tenant == null || tenant.equals(each.todo.key().tenantId()))
                .count();
    }

    /** Reads todos again that had no room, once few of them are left here. */
    private void refill(StoredTimer begun) {
        String type = begun.content().type();
        String tenant = begun.key().tenantId();
        boolean refills = leftTypes.contains(type) && waitingOf(type, null) <= HELD_BACK / 4 && leftTypes.remove(type);
        refills |=
                leftTenants.contains(tenant) && waitingOf(null, tenant) <= HELD_BACK / 4 && leftTenants.remove(tenant);
        readsAgain |= refills;
    }

    /** Returns how many lanes have a todo that may run. */
    int readyCount() {
        return heldBack ? 0 : lanes.readyCount();
    }

    /** Returns whether all lanes that are ready wait for permits. */
    boolean isHeldBack() {
        return heldBack;
    }

    /** Tries lanes again that waited for permits. */
    void permitsChanged() {
        heldBack = false;
    }

    private boolean admit(StoredTimer todo, long nanos) {
        if (isTaken(todo)) {
            return true;
        }
        Entry known = entries.get(todo.key());
        if (known != null && known.todo.generation() == todo.generation() && TodoLane.isAtSamePlace(known.todo, todo)) {
            bytes += size(todo) - size(known.todo);
            known.todo = todo;
            known.readAtNanos = nanos;
            return true;
        }
        if (known != null) {
            forget(known);
        }
        Entry entry = new Entry(lanes.of(todo), todo, nanos);
        if (!lanes.add(entry, entries.size() >= batchSize)) {
            return false;
        }
        heldBack = false;
        entries.put(todo.key(), entry);
        bytes += size(todo);
        return true;
    }

    private static int size(StoredTimer todo) {
        return todo.content().payload().size();
    }

    private void forget(Entry waiting) {
        bytes -= entries.remove(waiting.todo.key()) == null ? 0 : size(waiting.todo);
        lanes.remove(waiting);
    }

    /** Removes a waiting todo that a caller is cancelling. It is read again, in case the cancellation fails. */
    void forget(TimerKey key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return;
        }
        if (running.contains(entry)) {
            // This step cannot be stopped any more, so the todo is read again before its next step.
            entry.superseded = true;
        } else {
            forget(entry);
            drop(entry.todo);
        }
    }

    /** Removes waiting todos that match. They are read again. */
    void dropWaiting(Predicate<Entry> which) {
        forgetWaiting(which);
        readsAgain = true;
    }

    /** Removes waiting todos of all shards but these. */
    void retain(Set<Integer> shards) {
        forgetWaiting(each -> !shards.contains(each.todo.shard()));
    }

    private void forgetWaiting(Predicate<Entry> which) {
        entries.values().stream()
                .filter(each -> waits(each) && which.test(each))
                .toList()
                .forEach(each -> {
                    forget(each);
                    dropped.add(each.todo);
                });
    }

    /** Returns the next todo that may run, and marks it as running. Returns null if there is none. */
    @Nullable
    Entry begin() {
        permits.beginPass(true);
        TodoLane lane = lanes.poll(this::mayBegin);
        if (lane != null && isStale(lane.readAtNanos())) {
            lanes.putBack(lane);
            dropWaiting(each -> !each.lane.isResumed(each) || isStale(each.readAtNanos));
            lane = lanes.poll(this::mayBegin);
        }
        if (lane == null) {
            heldBack = lanes.readyCount() > 0;
            return null;
        }
        permits.begin(lane.head());
        Entry entry = lanes.begin(lane);
        running.add(entry);
        refill(entry.todo);
        return entry;
    }

    private boolean mayBegin(TodoLane lane) {
        return permits.mayBegin(lane.head());
    }

    private boolean isStale(long nanos) {
        return clock.nanoTime() - nanos > FRESH_NANOS;
    }

    /**
     * Ends a run: the next todo of its lane may run, or its own next step.
     *
     * @param next its next step; null if it has none
     * @param over whether its outcome is settled, and it has no next step
     * @param mayResume whether its next step may run here at once
     */
    void ended(Entry entry, @Nullable StoredTimer next, boolean over, boolean mayResume) {
        TimerKey key = entry.todo.key();
        permits.ended(entry.todo);
        heldBack = false;
        boolean goesOn = next != null && mayResume && !entry.superseded;
        running.remove(entry);
        settledSince.put(key, over || goesOn ? entry.todo.generation() : null);
        if (!goesOn && (entry.superseded || !over)) {
            dropped.add(entry.todo);
        }
        readsAgain |= entry.superseded || (next != null && !goesOn);
        if (next != null && goesOn) {
            bytes += size(next) - size(entry.todo);
            entry.todo = next;
            entry.readAtNanos = clock.nanoTime();
        } else {
            bytes -= entries.remove(key) == null ? 0 : size(entry.todo);
        }
        lanes.ended(entry.lane, goesOn ? entry : null);
    }

    /** Returns the shards of todos that run or are not settled, without the given todos. */
    Set<Integer> runningShards(Set<TimerKey> without) {
        return running.stream()
                .filter(each -> !without.contains(each.todo.key()))
                .map(each -> each.todo.shard())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns the exclusions of a read: the parallel keys whose lanes are full. */
    Exclusion fullLanes() {
        leftTypes.removeIf(type -> waitingOf(type, null) <= HELD_BACK / 4);
        leftTenants.removeIf(tenant -> waitingOf(null, tenant) <= HELD_BACK / 4);
        return new Exclusion(lanes.fullKeys(), leftTypes, leftTenants, Integer.MAX_VALUE);
    }

    /**
     * Returns the exclusions of a read behind a backlog: full lanes, and todos of busy tenants that are no more urgent
     * than the waiting ones.
     */
    Exclusion backlog() {
        int highest = entries.values().stream()
                .filter(this::waits)
                .mapToInt(each -> each.todo.content().priority())
                .max()
                .orElse(Integer.MAX_VALUE);
        Set<String> tenants = busyTenants();
        tenants.addAll(leftTenants);
        return new Exclusion(lanes.fullKeys(), leftTypes, tenants, highest);
    }

    /** Returns the busy tenants: those with more than an eighth of the todos in the buffer. */
    private Set<String> busyTenants() {
        Map<String, Long> counts =
                entries.keySet().stream().collect(Collectors.groupingBy(TimerKey::tenantId, Collectors.counting()));
        counts.values().removeIf(count -> count <= entries.size() / 8);
        return new HashSet<>(counts.keySet());
    }

    private boolean waits(Entry entry) {
        return !running.contains(entry);
    }

    int size() {
        return entries.size();
    }

    /** Returns how many bytes the payloads of all todos have. */
    long bytes() {
        return bytes;
    }

    /** Returns whether the workers have more than enough to run while more is read. */
    boolean hasPlenty() {
        return supply() > (long) AHEAD * batchSize || bytes > MOST_BYTES;
    }

    /** Returns how many todos may run now or soon. Those without a permit leave room for others. */
    private long supply() {
        int all = lanes.supply();
        if (all <= AHEAD * batchSize || !permits.isLimited() || permits.isBlocked()) {
            return all;
        }
        Set<String> types = permits.blockedTypes();
        types.addAll(leftTypes);
        Set<String> tenants = permits.blockedTenants();
        tenants.addAll(leftTenants);
        return all
                - entries.values().stream()
                        .filter(this::waits)
                        .filter(each -> types.contains(each.todo.content().type())
                                || tenants.contains(each.todo.key().tenantId()))
                        .count();
    }
}
