package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The todos of a queue that were read, and the outcomes of those that ran. The queue's loop fills the buffer, the
 * workers run the todos, and the settler writes the outcomes. Thread-safe.
 */
public final class TodoBuffer {
    /** What was read longer ago may have been changed meanwhile, and is read again before it runs. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many batches are left to the workers while the next one is read. */
    private static final int AHEAD = 2;

    /** So much of payloads is held here before less is read. */
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    /** So many batches may wait to be settled before less is read. */
    private static final int UNSETTLED = 4;

    private final int batchSize;
    private final Clock clock;
    private final PauseFlag pauseFlag;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Map<TimerKey, Entry> entries = new HashMap<>();
    private final TodoLanes lanes;
    private final Set<Entry> running = new HashSet<>();
    /** Of the payloads of all entries. */
    private long bytes;

    /**
     * What a read under way may still show as it was: the generation of what is over or goes on here, null of the rest.
     */
    private final Map<TimerKey, @Nullable Long> settledSince = new HashMap<>();

    private final Set<Clock.Loop> idle = new LinkedHashSet<>();
    private List<DoneTodo> done = new ArrayList<>();
    /** How many the settler has taken and not settled. */
    private int settling;

    private @Nullable StoreException failure;
    private boolean readsAgain;
    private boolean closed;
    private boolean paused;

    private volatile Consumer<Instant> announces = dueAt -> {};
    private volatile Runnable wakesSettler = () -> {};

    public TodoBuffer(TodoMode mode, int batchSize, Clock clock, PauseFlag pauseFlag) {
        this.batchSize = batchSize;
        this.clock = clock;
        this.pauseFlag = pauseFlag;
        lanes = new TodoLanes(mode, () -> readsAgain = true);
    }

    /**
     * Sets whom it wakes, before anything runs.
     *
     * @param loop told when the queue's loop must read what is due; {@link Instant#MAX} for a turn that need not
     * @param settler wakes the settler
     */
    void wakes(Consumer<Instant> loop, Runnable settler) {
        announces = loop;
        wakesSettler = settler;
    }

    /** Lets the queue's loop have a turn. */
    void wakeLoop() {
        announces.accept(Instant.MAX);
    }

    /** Begins a read: what is settled from now on it may show as it was. */
    void beginRead() {
        changing(settledSince::clear);
    }

    /** Makes the loop read all that is due again. */
    void readAll() {
        changing(() -> readsAgain = true);
    }

    /** Returns what is not running, nor settled. */
    List<StoredTimer> notRunning(List<StoredTimer> read) {
        return waking(() -> read.stream().filter(each -> !isTaken(each)).toList());
    }

    /** Returns whether it runs, or is settled meanwhile; another generation of it is looked at again. */
    private boolean isTaken(StoredTimer todo) {
        if (Objects.equals(settledSince.get(todo.key()), todo.generation())) {
            return true;
        }
        Entry known = entries.get(todo.key());
        if (known != null && running.contains(known)) {
            known.superseded |= known.todo.generation() != todo.generation();
            return true;
        }
        boolean settled = settledSince.containsKey(todo.key());
        readsAgain |= settled;
        return settled;
    }

    /** Takes in what was read; returns whether all of it is here now. */
    boolean admit(List<StoredTimer> read) {
        return waking(() -> {
            long nanos = clock.nanoTime();
            boolean all = true;
            for (StoredTimer todo : read) {
                all &= admit(todo, nanos);
            }
            return all;
        });
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

    /** Forgets a todo that waits and is being cancelled; it is read again if that comes to nothing. */
    public void forget(TimerKey key) {
        changing(() -> {
            Entry entry = entries.get(key);
            if (entry == null) {
                return;
            }
            if (running.contains(entry)) {
                // If it is too late for this step, its next one is looked at again.
                entry.superseded = true;
            } else {
                forget(entry);
                readsAgain = true;
            }
        });
    }

    /** Returns the next todo that may run, which runs from now on; without one, the worker is woken when there is. */
    @Nullable
    Entry take(Clock.@Nullable Loop worker) {
        return waking(() -> {
            TodoLane lane = isStopped() ? null : lanes.poll();
            if (lane != null && isStale(lane.readAtNanos())) {
                lanes.putBack(lane);
                dropWaiting(each -> !each.lane.isResumed(each) || isStale(each.readAtNanos));
                lane = lanes.poll();
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
            Entry entry = lanes.begin(lane);
            running.add(entry);
            return entry;
        });
    }

    private boolean isStale(long nanos) {
        return clock.nanoTime() - nanos > FRESH_NANOS;
    }

    /** What waits is read again. */
    private void dropWaiting(Predicate<Entry> which) {
        List<Entry> waiting = entries.values().stream()
                .filter(each -> waits(each) && which.test(each))
                .toList();
        waiting.forEach(this::forget);
        readsAgain = true;
    }

    /** Notes what became of a todo, to be settled. */
    void done(DoneTodo outcome) {
        boolean wakes = waking(() -> {
            done.add(outcome);
            lanes.finishing(outcome.entry().lane);
            return done.size() == 1 || closed;
        });
        if (wakes) {
            wakesSettler.run();
        }
    }

    /** Returns whether something is to be settled. */
    boolean hasDone() {
        return waking(() -> !done.isEmpty());
    }

    /** Takes what is to be settled. */
    List<DoneTodo> takeDone() {
        return waking(() -> {
            List<DoneTodo> taken = done;
            done = new ArrayList<>();
            settling = taken.size();
            return taken;
        });
    }

    /** Puts back what could not be settled. */
    void putBack(List<DoneTodo> outcomes) {
        changing(() -> {
            settling = 0;
            done.addAll(0, outcomes);
        });
    }

    /** Ends the runs that were taken: they are settled. */
    void settledTaken(List<DoneTodo> outcomes) {
        changing(() -> settling = 0);
        settled(outcomes);
    }

    /** Ends runs whose outcomes are settled: the next of their lanes may run, or their own next steps. */
    void settled(List<DoneTodo> outcomes) {
        changing(() -> outcomes.forEach(each -> ended(each.entry(), each.next(), each.isOver())));
        Instant earliest = outcomes.stream().map(DoneTodo::readAt).reduce(Instant.MAX, Times::earlier);
        if (earliest.isBefore(Instant.MAX)) {
            announces.accept(earliest);
        }
    }

    /** Ends a run without an outcome: it is read again, if it is still there. */
    void dropped(Entry entry, @Nullable StoreException reason) {
        changing(() -> {
            readsAgain = true;
            failure = reason != null ? reason : failure;
            ended(entry, null, false);
        });
        wakeLoop();
    }

    private void ended(Entry entry, @Nullable StoredTimer next, boolean over) {
        TimerKey key = entry.todo.key();
        boolean goesOn = next != null && !isStopped() && !entry.superseded;
        running.remove(entry);
        settledSince.put(key, over || goesOn ? entry.todo.generation() : null);
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

    /** Returns the shards of what runs or is not settled, without the given todos. */
    Set<Integer> shards(Set<TimerKey> without) {
        return waking(() -> running.stream()
                .filter(each -> !without.contains(each.todo.key()))
                .map(each -> each.todo.shard())
                .collect(Collectors.toCollection(HashSet::new)));
    }

    /** Returns what a read leaves out: the parallel keys of which no more is taken in for now. */
    Exclusion fullLanes() {
        return waking(() -> new Exclusion(lanes.fullKeys(), Set.of(), Integer.MAX_VALUE));
    }

    /**
     * Returns what a look behind a backlog leaves out: also what waits of busy tenants, and is no more urgent than
     * that.
     */
    Exclusion backlog() {
        return waking(() -> {
            List<Entry> waiting = entries.values().stream().filter(this::waits).toList();
            int highest = waiting.stream()
                    .mapToInt(each -> each.todo.content().priority())
                    .max()
                    .orElse(Integer.MAX_VALUE);
            return new Exclusion(lanes.fullKeys(), busyTenants(), highest);
        });
    }

    /** Returns the tenants that have much of what is here: more than an eighth. */
    private Set<String> busyTenants() {
        Map<String, Long> counts =
                entries.keySet().stream().collect(Collectors.groupingBy(TimerKey::tenantId, Collectors.counting()));
        counts.values().removeIf(count -> count <= entries.size() / 8);
        return counts.keySet();
    }

    private boolean waits(Entry entry) {
        return !running.contains(entry);
    }

    public int size() {
        return waking(entries::size);
    }

    /** Returns whether the workers have more than enough to go on with while more is read. */
    boolean isFull() {
        return waking(this::hasPlenty);
    }

    private boolean hasPlenty() {
        return lanes.supply() > AHEAD * batchSize || bytes > MOST_BYTES;
    }

    /** Returns how many bytes the payloads of what is here have. */
    long bytes() {
        return waking(() -> bytes);
    }

    /** Returns whether nothing more is taken in for now: much is to be settled first, or the only lane is full. */
    boolean isClogged() {
        return waking(this::clogged);
    }

    private boolean clogged() {
        return done.size() + settling > UNSETTLED * batchSize || lanes.isOnlyFull();
    }

    /** Returns whether somebody wants to cancel a todo, or has changed it, since it was taken. */
    boolean isSuperseded(Entry entry) {
        return waking(() -> entry.superseded);
    }

    /** Forgets what waits in shards that are not these. */
    void retain(Set<Integer> shards) {
        changing(() -> entries.values().stream()
                .filter(each -> waits(each) && !shards.contains(each.todo.shard()))
                .toList()
                .forEach(this::forget));
    }

    /** Gives out nothing while the queue is paused; afterwards all is read again. */
    public void pauseChanged() {
        changing(() -> {
            boolean now = pauseFlag.isPaused();
            if (paused != now) {
                paused = now;
                dropWaiting(each -> true);
            }
        });
    }

    /** Returns whether nothing may begin any more: asked right before a handler is called, too. */
    boolean mayNotBegin() {
        return pauseFlag.isPaused() || waking(this::isStopped);
    }

    private boolean isStopped() {
        return closed || paused;
    }

    boolean isClosed() {
        return waking(() -> closed);
    }

    /** Gives out nothing more. */
    void close() {
        changing(() -> closed = true);
    }

    private void changing(Runnable change) {
        waking(() -> {
            change.run();
            return true;
        });
    }

    /** Changes or reads the state, and wakes as many idle workers as have something to do, and the loop if it has. */
    private <T> T waking(Supplier<T> change) {
        List<Clock.Loop> woken = List.of();
        boolean wakeLoop;
        T result;
        lock.lock();
        try {
            boolean readBefore = readsAgain;
            boolean plentyBefore = hasPlenty();
            boolean cloggedBefore = clogged();
            result = change.get();
            if (!idle.isEmpty() && lanes.readyCount() > 0 && !isStopped()) {
                woken = idle.stream().limit(lanes.readyCount()).toList();
                woken.forEach(idle::remove);
            }
            wakeLoop = (readsAgain && !readBefore) || (plentyBefore && !hasPlenty()) || (cloggedBefore && !clogged());
        } finally {
            lock.unlock();
        }
        woken.forEach(each -> each.wakeAt(clock.now()));
        if (wakeLoop) {
            wakeLoop();
        }
        return result;
    }
}
