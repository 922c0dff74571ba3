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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The todos of a queue that were read, and the outcomes of those that ran. The queue's loop fills the buffer, the
 * workers run the todos, and the settler writes the outcomes. Thread-safe.
 */
public final class TodoBuffer {
    /** So many batches may wait to be settled before less is read. */
    private static final int UNSETTLED = 4;

    private final int batchSize;
    private final Clock clock;
    private final PauseFlag pauseFlag;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final BufferedTodos todos;
    private final Set<Clock.Loop> idle = new LinkedHashSet<>();
    private List<DoneTodo> done = new ArrayList<>();
    /** How many the settler has taken and not settled. */
    private int settling;

    private @Nullable StoreException failure;
    private boolean closed;
    private boolean paused;

    private volatile Consumer<Instant> announces = dueAt -> {};
    private volatile Runnable wakesSettler = () -> {};

    public TodoBuffer(TodoMode mode, int batchSize, Clock clock, PauseFlag pauseFlag) {
        this.batchSize = batchSize;
        this.clock = clock;
        this.pauseFlag = pauseFlag;
        todos = new BufferedTodos(mode, batchSize, clock);
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

    /** Begins a read: it may still show the former state of todos that are settled from now on. */
    void beginRead() {
        changing(todos::beginRead);
    }

    /** Makes the loop read all that is due again. */
    void readAll() {
        changing(todos::readAgain);
    }

    /** Returns the todos that neither run nor are settled. */
    List<StoredTimer> notRunning(List<StoredTimer> read) {
        return waking(() -> read.stream().filter(each -> !todos.isTaken(each)).toList());
    }

    /** Takes in what was read; returns whether all of it is here now. */
    boolean admit(List<StoredTimer> read) {
        return waking(() -> todos.admit(read));
    }

    /** Forgets a todo that waits and is being cancelled. It is read again, in case it is not cancelled. */
    public void forget(TimerKey key) {
        changing(() -> todos.forget(key));
    }

    /** Returns the next todo that may run, which runs from now on; without one, the worker is woken when there is. */
    @Nullable
    Entry take(Clock.@Nullable Loop worker) {
        return waking(() -> {
            Entry entry = isStopped() ? null : todos.begin();
            if (worker != null && entry == null) {
                idle.add(worker);
            } else if (worker != null) {
                idle.remove(worker);
            }
            return entry;
        });
    }

    /** Notes what became of a todo, to be settled. */
    void done(DoneTodo outcome) {
        boolean wakes = waking(() -> {
            done.add(outcome);
            todos.lanes().finishing(outcome.entry().lane);
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
        changing(() -> outcomes.forEach(each -> todos.ended(each.entry(), each.next(), each.isOver(), !isStopped())));
        Instant earliest = outcomes.stream().map(DoneTodo::readAt).reduce(Instant.MAX, Times::earlier);
        if (earliest.isBefore(Instant.MAX)) {
            announces.accept(earliest);
        }
    }

    /** Ends a run without an outcome: it is read again, if it is still there. */
    void dropped(Entry entry, @Nullable StoreException reason) {
        changing(() -> {
            todos.readAgain();
            failure = reason != null ? reason : failure;
            todos.ended(entry, null, false, false);
        });
        wakeLoop();
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
        return waking(todos::takeReadsAgain);
    }

    /** Returns the shards of what runs or is not settled, without the given todos. */
    Set<Integer> shards(Set<TimerKey> without) {
        return waking(() -> todos.runningShards(without));
    }

    /** Returns what a read leaves out: the parallel keys of which no more is taken in for now. */
    Exclusion fullLanes() {
        return waking(todos::fullLanes);
    }

    /**
     * Returns what a look behind a backlog leaves out: also what waits of busy tenants, and is no more urgent than
     * that.
     */
    Exclusion backlog() {
        return waking(todos::backlog);
    }

    public int size() {
        return waking(todos::size);
    }

    /** Returns whether the workers have more than enough to go on with while more is read. */
    boolean isFull() {
        return waking(todos::hasPlenty);
    }

    /** Returns how many bytes the payloads of what is here have. */
    long bytes() {
        return waking(todos::bytes);
    }

    /** Returns whether nothing more is taken in for now: much is to be settled first, or the only lane is full. */
    boolean isClogged() {
        return waking(this::clogged);
    }

    private boolean clogged() {
        return done.size() + settling > UNSETTLED * batchSize || todos.lanes().isOnlyFull();
    }

    /** Returns whether somebody wants to cancel a todo, or has changed it, since it was taken. */
    boolean isSuperseded(Entry entry) {
        return waking(() -> entry.superseded);
    }

    /** Forgets what waits in shards that are not these. */
    void retain(Set<Integer> shards) {
        changing(() -> todos.retain(shards));
    }

    /** Gives out nothing while the queue is paused; afterwards all is read again. */
    public void pauseChanged() {
        changing(() -> {
            boolean now = pauseFlag.isPaused();
            if (paused != now) {
                paused = now;
                todos.dropWaiting(each -> true);
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
            boolean readBefore = todos.mustReadAgain();
            boolean plentyBefore = todos.hasPlenty();
            boolean cloggedBefore = clogged();
            result = change.get();
            if (!idle.isEmpty() && todos.lanes().readyCount() > 0 && !isStopped()) {
                woken = idle.stream().limit(todos.lanes().readyCount()).toList();
                woken.forEach(idle::remove);
            }
            wakeLoop = (todos.mustReadAgain() && !readBefore)
                    || (plentyBefore && !todos.hasPlenty())
                    || (cloggedBefore && !clogged());
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
