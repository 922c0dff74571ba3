package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TodoMode;
import dev.duetime.engine.TodoLane.Entry;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds the todos of a queue that were read, in lanes of those that must not run at the same time, and what became of those
 * that ran: between the queue's loop, which fills and empties it, and the workers. Thread-safe.
 */
final class TodoBuffer {
    /** What was read longer ago may have been changed meanwhile, and is read again before it runs. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many todos of one lane are held, so that a slow one leaves room for others. */
    private static final int LANE = 32;

    /** The lane of all todos of a queue that runs one at a time. */
    private static final String ONLY = "";

    private final TodoMode mode;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Map<TimerKey, Entry> entries = new HashMap<>();
    private final Map<String, TodoLane> lanes = new HashMap<>();
    private final FairQueue ready = new FairQueue();
    private final Set<Entry> running = new HashSet<>();
    /** What a read under way may still show as it was. */
    private final Set<TimerKey> settledSince = new HashSet<>();

    private final Set<Clock.Loop> idle = new LinkedHashSet<>();
    private List<Done> done = new ArrayList<>();
    private @Nullable StoreException failure;
    private boolean readsAgain;
    private int low;
    private boolean closed;
    private boolean paused;

    private volatile Runnable wakesLoop = () -> {};

    TodoBuffer(TodoMode mode, Clock clock) {
        this.mode = mode;
        this.clock = clock;
    }

    /**
     * Is what became of a todo that ran.
     *
     * @param entry which
     * @param settlement what is to be written down
     * @param next how it stands then if it goes on at once; null if it does not
     */
    record Done(
            Entry entry, Settlement settlement, @Nullable StoredTimer next) {}

    /** Sets what wakes the queue's loop, before anything runs. */
    void wakes(Runnable loop) {
        wakesLoop = loop;
    }

    /** Begins a read: what is settled from now on it may show as it was. */
    void beginRead() {
        waking(() -> {
            settledSince.clear();
            return true;
        });
    }

    /** Makes the loop read all that is due again. */
    void readAll() {
        waking(() -> readsAgain = true);
    }

    /** Returns what is not running, nor settled. */
    List<StoredTimer> notRunning(List<StoredTimer> read) {
        return waking(() -> read.stream().filter(each -> !isRunning(each)).toList());
    }

    private boolean isRunning(StoredTimer todo) {
        Entry known = entries.get(todo.key());
        if (known == null || !running.contains(known)) {
            return false;
        }
        known.superseded |= known.todo.generation() != todo.generation();
        return true;
    }

    /** Takes in what was read; returns whether all of it is here now. */
    boolean admit(List<StoredTimer> read) {
        return waking(() -> {
            long nanos = clock.nanoTime();
            boolean all = true;
            for (StoredTimer todo : read) {
                all &= admit(todo, nanos);
            }
            low = (entries.size() - running.size()) / 2;
            return all;
        });
    }

    private boolean admit(StoredTimer todo, long nanos) {
        if (isRunning(todo)) {
            return true;
        }
        if (settledSince.contains(todo.key())) {
            readAgain();
            return true;
        }
        Entry known = entries.get(todo.key());
        if (known != null && known.todo.generation() == todo.generation()) {
            known.todo = todo;
            known.readAtNanos = nanos;
            return true;
        }
        if (known != null) {
            forget(known);
        }
        TodoLane lane = lane(todo);
        if (lane.key != null && lane.waiting() >= LANE) {
            lane.truncated = true;
            return false;
        }
        Entry entry = new Entry(lane, todo, nanos);
        entries.put(todo.key(), entry);
        change(lane, () -> lane.add(entry));
        return true;
    }

    private TodoLane lane(StoredTimer todo) {
        String key = mode == TodoMode.SEQUENTIAL
                ? ONLY
                : mode == TodoMode.PARALLEL_BY_KEY ? todo.content().parallelKey() : null;
        return key == null ? new TodoLane(null) : lanes.computeIfAbsent(key, TodoLane::new);
    }

    /** Changes what waits in a lane, which may change its place in the order. */
    private void change(TodoLane lane, Runnable change) {
        ready.remove(lane);
        change.run();
        if (lane.running == null && lane.hasNext()) {
            ready.add(lane);
        } else if (lane.running == null && lane.key != null) {
            lanes.remove(lane.key);
        }
        refill(lane);
    }

    /** Lets more of a lane be read that was full, once little of it is left. */
    private void refill(TodoLane lane) {
        if (lane.truncated && lane.waiting() <= LANE / 4) {
            lane.truncated = false;
            readAgain();
        }
    }

    private void forget(Entry waiting) {
        entries.remove(waiting.todo.key());
        change(waiting.lane, () -> waiting.lane.remove(waiting));
    }

    private void readAgain() {
        readsAgain = true;
    }

    /** Forgets a todo that waits and is being cancelled; it is read again if that comes to nothing. */
    void forget(TimerKey key) {
        waking(() -> {
            Entry entry = entries.get(key);
            if (entry == null) {
                return true;
            }
            if (running.contains(entry)) {
                // If it is too late for this step, its next one is looked at again.
                entry.superseded = true;
            } else {
                forget(entry);
                readAgain();
            }
            return true;
        });
    }

    /** Returns the next todo that may run, which runs from now on; without one, the worker is woken when there is. */
    @Nullable
    Entry take(Clock.@Nullable Loop worker) {
        return waking(() -> {
            TodoLane lane = isStopped() ? null : ready.poll();
            if (lane != null && clock.nanoTime() - lane.readAtNanos() > FRESH_NANOS) {
                ready.add(lane);
                dropWaiting();
                lane = ready.poll();
            }
            if (lane == null) {
                if (worker != null) {
                    idle.add(worker);
                }
                return null;
            }
            if (worker != null) {
                idle.remove(worker);
            }
            Entry entry = lane.begin();
            running.add(entry);
            refill(lane);
            return entry;
        });
    }

    /** Everything that waits is read again; what goes on with its next step is no older than this node's own write. */
    private void dropWaiting() {
        List<Entry> waiting = entries.values().stream()
                .filter(each -> !running.contains(each) && !each.lane.isResumed(each))
                .toList();
        waiting.forEach(this::forget);
        readAgain();
    }

    /** Notes what became of a todo, to be settled. */
    void done(Done outcome) {
        boolean first = waking(() -> {
            done.add(outcome);
            return done.size() == 1;
        });
        if (first) {
            wakesLoop.run();
        }
    }

    /** Takes what is to be settled. */
    List<Done> takeDone() {
        return waking(() -> {
            List<Done> taken = done;
            done = new ArrayList<>();
            return taken;
        });
    }

    /** Puts back what could not be settled. */
    void putBack(List<Done> outcomes) {
        waking(() -> done.addAll(0, outcomes));
    }

    /** Ends a run whose outcome is settled: the next of its lane may run, or its own next step. */
    void settled(Entry entry, @Nullable StoredTimer next) {
        waking(() -> {
            running.remove(entry);
            entry.lane.running = null;
            settledSince.add(entry.todo.key());
            if (entry.superseded) {
                readAgain();
            }
            if (next != null && !isStopped() && !entry.superseded) {
                entry.todo = next;
                entry.readAtNanos = clock.nanoTime();
                change(entry.lane, () -> entry.lane.resume(entry));
            } else {
                entries.remove(entry.todo.key());
                change(entry.lane, () -> {});
                readsAgain |= next != null;
            }
            return true;
        });
    }

    /** Ends a run without an outcome: it is read again, if it is still there. */
    void dropped(Entry entry, @Nullable StoreException reason) {
        waking(() -> {
            readAgain();
            failure = reason != null ? reason : failure;
            return true;
        });
        settled(entry, null);
        wakesLoop.run();
    }

    /** Returns, once, why the store failed a worker. */
    @Nullable
    StoreException takeFailure() {
        return waking(() -> {
            StoreException taken = failure;
            failure = null;
            return taken;
        });
    }

    /** Returns, once, whether something was forgotten that may be due. */
    boolean takeReadsAgain() {
        return waking(() -> {
            boolean again = readsAgain;
            readsAgain = false;
            return again;
        });
    }

    /** Returns the shards of what runs or is not settled. */
    Set<Integer> shards() {
        return waking(
                () -> running.stream().map(each -> each.todo.shard()).collect(Collectors.toCollection(HashSet::new)));
    }

    /** Returns what a read leaves out: the parallel keys of which no more is taken in for now. */
    Exclusion fullLanes() {
        return waking(() -> new Exclusion(fullKeys(), Set.of(), Integer.MAX_VALUE));
    }

    /** Returns what a look behind a backlog leaves out: also what waits of busy tenants, and is no more urgent than that. */
    Exclusion backlog() {
        return waking(() -> new Exclusion(fullKeys(), busyTenants(), highestPriority()));
    }

    private Set<String> fullKeys() {
        return mode != TodoMode.PARALLEL_BY_KEY
                ? Set.of()
                : lanes.entrySet().stream()
                        .filter(each -> each.getValue().truncated)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Returns the tenants that have much of what waits: more than an eighth. */
    private Set<String> busyTenants() {
        Map<String, Integer> counts = new HashMap<>();
        entries.keySet().forEach(key -> counts.merge(key.tenantId(), 1, Integer::sum));
        return counts.entrySet().stream()
                .filter(each -> each.getValue() > entries.size() / 8)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private int highestPriority() {
        return entries.values().stream()
                .filter(each -> !running.contains(each))
                .mapToInt(each -> each.todo.content().priority())
                .max()
                .orElse(Integer.MAX_VALUE);
    }

    int size() {
        return waking(entries::size);
    }

    /** Returns how many todos could run at once, if there were workers. */
    int readyCount() {
        return waking(ready::size);
    }

    /** Returns whether somebody wants to cancel a todo, or has changed it, since it was taken. */
    boolean isSuperseded(Entry entry) {
        return waking(() -> entry.superseded);
    }

    /** Returns whether no more is taken in for now of the one lane of a queue that runs one at a time. */
    boolean isOnlyLaneFull() {
        return waking(() -> {
            TodoLane only = mode == TodoMode.SEQUENTIAL ? lanes.get(ONLY) : null;
            return only != null && only.truncated;
        });
    }

    /** Forgets what waits in shards that are not these. */
    void retain(Set<Integer> shards) {
        waking(() -> {
            entries.values().stream()
                    .filter(each -> !running.contains(each) && !shards.contains(each.todo.shard()))
                    .toList()
                    .forEach(this::forget);
            return true;
        });
    }

    /** Gives out nothing while the queue is paused; afterwards all is read again. */
    void pause(boolean now) {
        waking(() -> {
            if (paused != now) {
                paused = now;
                dropWaiting();
            }
            return true;
        });
    }

    private boolean isStopped() {
        return closed || paused;
    }

    boolean isClosed() {
        return waking(() -> closed);
    }

    /** Gives out nothing more. */
    void close() {
        waking(() -> closed = true);
    }

    /** Changes or reads the state, and wakes as many idle workers as have something to do. */
    private <T> T waking(Supplier<T> change) {
        List<Clock.Loop> woken = new ArrayList<>();
        boolean wakeLoop;
        T result;
        lock.lock();
        try {
            boolean before = readsAgain;
            int readyBefore = ready.size();
            result = change.get();
            idle.stream().limit(isStopped() ? 0 : ready.size()).forEach(woken::add);
            woken.forEach(idle::remove);
            wakeLoop = (readsAgain && !before) || (low > 0 && ready.size() < readyBefore && ready.size() == low);
        } finally {
            lock.unlock();
        }
        woken.forEach(each -> each.wakeAt(clock.now()));
        if (wakeLoop) {
            wakesLoop.run();
        }
        return result;
    }
}
