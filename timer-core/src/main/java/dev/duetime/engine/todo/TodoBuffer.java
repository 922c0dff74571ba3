package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.engine.todo.TodoLane.HeldTodo;
import dev.duetime.internal.Times;
import dev.duetime.todo.TodoMode;
import java.time.Instant;
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
    private final Clock clock;
    private final PauseFlag pauseFlag;
    private final QueuePermits permits;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final BufferedTodos todos;
    private final Set<Clock.Loop> idle = new LinkedHashSet<>();
    private final DoneTodos done;
    private @Nullable StoreException failure;
    private boolean paused;
    private boolean settlerIsDue;

    /** Whether a change broke off, and nothing has recovered from that since. */
    private boolean brokeOff;

    /**
     * Whether a change broke off, or a loop may have missed something. Then all is derived anew, and all are woken.
     * Written by any thread.
     */
    private volatile boolean doubtful;

    private volatile boolean closed;
    private volatile Consumer<Instant> announces = dueAt -> {};
    private volatile Runnable wakesSettler = () -> {};
    private volatile Runnable wakesWorkers = () -> {};

    public TodoBuffer(QueueSettings queue, TodoMode mode, Clock clock, PauseFlag pauseFlag, QueuePermits permits) {
        this.permits = permits;
        this.clock = clock;
        this.pauseFlag = pauseFlag;
        todos = new BufferedTodos(queue, mode, clock, permits);
        done = new DoneTodos(queue.batchSize(), queue.readBytes());
    }

    /**
     * Sets what the buffer wakes, before anything runs.
     *
     * @param loop called with the time at which the queue's loop must read; {@link Instant#MAX} if it needs only a turn
     * @param settler wakes the settler
     * @param workers wakes all workers
     */
    void wakes(Consumer<Instant> loop, Runnable settler, Runnable workers) {
        announces = loop;
        wakesSettler = settler;
        wakesWorkers = workers;
        permits.onPermits(this::wakeLoop);
    }

    /** Wakes the queue's loop for a turn. */
    void wakeLoop() {
        announces.accept(Instant.MAX);
    }

    /** Returns the part for the plan of the queue's reads. */
    BufferReads reads() {
        return new BufferReads(this, todos);
    }

    /** Makes the loop read all due todos again. */
    void readAll() {
        changing(todos.rereads()::request);
    }

    /** Returns the todos that neither run nor are settled. */
    List<StoredTimer> notRunning(List<StoredTimer> read) {
        return waking(() -> read.stream().filter(each -> !todos.isTaken(each)).toList());
    }

    /** Returns those of the todos that need not keep an order with others. */
    List<StoredTimer> withoutLane(List<StoredTimer> read) {
        return waking(() -> read.stream().filter(each -> !todos.hasLane(each)).toList());
    }

    /** Returns whether a todo keeps an order with others. */
    boolean hasLane(StoredTimer todo) {
        return waking(() -> todos.hasLane(todo));
    }

    /** Adds the todos that were read. Returns those for which there was no room. */
    List<StoredTimer> admit(List<StoredTimer> read) {
        return waking(() -> todos.admit(read));
    }

    /** Removes a waiting todo during its cancellation. It is read again, in case that fails. */
    public void forget(TimerKey key) {
        changing(() -> todos.forget(key));
    }

    /**
     * Marks the next todo as running. If none may run, the worker is woken as soon as one may.
     *
     * @param held gets the todo, also if this method throws
     */
    void take(Clock.@Nullable Loop worker, HeldTodo held) {
        changing(() -> {
            Entry entry = mayTake() ? todos.begin(held) : null;
            if (worker != null && entry == null) {
                idle.add(worker);
            } else {
                idle.remove(worker);
            }
        });
    }

    /** Returns whether the worker owns its todo: it has no outcome, and was not given back. */
    boolean isHeld(HeldTodo held) {
        return waking(() -> {
            Entry entry = held.entry();
            return entry != null && entry.holder == held && todos.isRunning(entry);
        });
    }

    /** Adds the outcome of a todo, to be settled. From here on the outcomes own the todo. */
    void done(DoneTodo outcome) {
        changing(() -> {
            if (todos.isRunOf(outcome)) {
                done.add(outcome);
                outcome.entry().holder = null;
                settlerIsDue |= done.count() == 1 || closed;
                todos.lanes().finishing(outcome.entry());
            }
        });
    }

    /** Returns whether outcomes wait to be settled. */
    boolean hasDone() {
        return waking(() -> done.count() > 0);
    }

    /** Takes all outcomes of runs that have not ended, to be settled. They stay here until {@link #settledTaken}. */
    List<DoneTodo> takeDone() {
        return waking(() -> done.take(todos::isRunOf));
    }

    /** Puts back the taken outcomes, which could not be settled. */
    void putBack() {
        changing(done::putBack);
    }

    /**
     * Ends the runs of the taken outcomes, and forgets these.
     *
     * @param outcomes those that are settled; the others are set aside
     */
    void settledTaken(List<DoneTodo> outcomes) {
        changing(() -> {
            end(outcomes);
            done.settledTaken();
        });
        announce(outcomes);
    }

    /** Ends settled runs. Then the next todos of their lanes may run, or their own next steps. */
    void settled(List<DoneTodo> outcomes) {
        changing(() -> end(outcomes));
        announce(outcomes);
    }

    /** Notes that outcomes cannot be written now. */
    void setAside(List<DoneTodo> outcomes) {
        changing(() -> outcomes.forEach(each -> todos.setAside(each, each.bytes())));
    }

    /**
     * Notes that the outcome of a run cannot be written now. From here on the caller owns the todo, and not its worker,
     * also if what follows this change breaks off.
     *
     * @param bytes how much memory it takes
     */
    void keep(DoneTodo outcome, long bytes) {
        changing(() -> {
            if (todos.isRunOf(outcome)) {
                todos.setAside(outcome, bytes);
                outcome.entry().holder = null;
            }
        });
    }

    /** Returns whether the outcome is that of a run that has not ended. */
    boolean isRunOf(DoneTodo outcome) {
        return waking(() -> todos.isRunOf(outcome));
    }

    private void end(List<DoneTodo> outcomes) {
        outcomes.forEach(each -> todos.settled(each, !isStopped()));
    }

    /** Makes the loop read what the outcomes make due. If this breaks off, all is read again. */
    private void announce(List<DoneTodo> outcomes) {
        boolean whole = false;
        try {
            Instant earliest = outcomes.stream().map(DoneTodo::readAt).reduce(Instant.MAX, Times::earlier);
            if (earliest.isBefore(Instant.MAX)) {
                announces.accept(earliest);
            }
            whole = true;
        } finally {
            if (!whole) {
                doubtful = true;
            }
        }
    }

    /** Ends the run of a worker that has no outcome: the todo is read again, if it is still there. */
    void dropped(HeldTodo held, @Nullable StoreException reason) {
        changing(() -> {
            todos.rereads().request();
            failure = reason != null ? reason : failure;
            Entry entry = held.entry();
            if (entry != null && entry.holder == held) {
                todos.dropped(entry);
                entry.holder = null;
            }
        });
        wakeLoop();
    }

    /** Makes the buffer derive anew what it holds, after an error outside of it that a todo may be affected by. */
    void doubt() {
        doubtful = true;
    }

    /** Returns the error of the store that a worker met, and resets it. */
    @Nullable
    StoreException takeFailure() {
        return waking(() -> {
            StoreException taken = failure;
            failure = null;
            return taken;
        });
    }

    /** Returns the shards of todos that run or are not settled, without the given todos. */
    Set<Integer> shards(Set<TimerKey> without) {
        return waking(() -> todos.runningShards(without));
    }

    public int size() {
        return waking(todos::size);
    }

    /** Returns how many todos wait or run: all but those whose outcome cannot be written now. */
    int open() {
        return waking(todos::open);
    }

    /** Returns whether the workers have more than enough to run while more is read. */
    boolean isFull() {
        return waking(todos::hasPlenty);
    }

    /**
     * Returns whether the buffer is full: too many outcomes are unsettled or cannot be written, or the only lane is
     * full.
     */
    boolean isClogged() {
        return waking(this::clogged);
    }

    private boolean clogged() {
        return done.areTooMany() || todos.areTooManyAside() || todos.lanes().isOnlyFull();
    }

    /** Returns whether a todo was changed since a worker took it, or a caller wants to cancel it. */
    boolean isSuperseded(Entry entry) {
        return waking(() -> entry.superseded);
    }

    /** Removes waiting todos of shards that another node owned meanwhile: it may have run them. They are read again. */
    void forget(Set<Integer> shards) {
        if (!shards.isEmpty()) {
            changing(() -> todos.dropWaiting(each -> shards.contains(each.todo.shard())));
        }
    }

    /** Gives the workers nothing while the queue is paused. After the pause, all due todos are read again. */
    public void pauseChanged() {
        changing(() -> {
            boolean now = pauseFlag.isPaused();
            if (paused != now) {
                paused = now;
                todos.dropWaiting(each -> true);
            }
        });
    }

    /** Returns whether no further todo may begin. A worker asks this again right before it calls a handler. */
    boolean mayNotBegin() {
        return pauseFlag.isPaused() || waking(this::isStopped);
    }

    /**
     * Notes that the handler of a todo is called now. From here on its permits count. Much may have been written since
     * it got them.
     *
     * @return whether it may be called; not if the share of this node in a limit has ended
     */
    boolean begun(StoredTimer todo) {
        return !mayNotBegin() && permits.begun(todo);
    }

    private boolean isStopped() {
        return closed || paused;
    }

    /** Returns whether workers get todos. The outcomes of those that ran must leave memory for the next ones. */
    private boolean mayTake() {
        return !isStopped() && !done.areHeavy() && !todos.areHeavyAside();
    }

    boolean isClosed() {
        return closed;
    }

    /** Gives the workers nothing more. Cannot fail, so that no run is taken for one of an open queue. */
    void close() {
        closed = true;
    }

    /** Tries todos again that waited for permits or parallel keys, if it is time. Returns when to try again. */
    Instant tryWaiting() {
        Instant forKeys = waking(() -> {
            // In one change: if it breaks off, the recovery from that tries the lanes that waited.
            if (permits.takeReady()) {
                todos.permitsChanged();
            }
            return todos.left().nextTurn();
        });
        return Times.earlier(permits.nextTry(), forKeys);
    }

    /** Runs an action as {@link #waking} does. */
    void changing(Runnable change) {
        waking(() -> {
            change.run();
            return true;
        });
    }

    /**
     * Runs an action under the lock. Then it wakes idle workers, one a todo, and the loop if it has work. If an action
     * or a wake-up breaks off, the next one first derives anew what the buffer holds, and wakes all.
     */
    <T> T waking(Supplier<T> change) {
        boolean whole = false;
        try {
            T result = changeAndWake(change);
            whole = true;
            return result;
        } finally {
            if (!whole) {
                doubtful = true;
            }
        }
    }

    private <T> T changeAndWake(Supplier<T> change) {
        List<Clock.Loop> woken = List.of();
        boolean recovers;
        boolean wakeLoop;
        boolean wakeSettler;
        T result;
        lock.lock();
        try {
            recovers = brokeOff || doubtful || permits.isDoubtful();
            brokeOff = true;
            doubtful = false;
            if (recovers) {
                todos.recover();
            }
            boolean readBefore = todos.rereads().isRequested();
            boolean plentyBefore = todos.hasPlenty();
            boolean heavyBefore = todos.isHeavy();
            boolean veryHeavyBefore = todos.isVeryHeavy();
            boolean cloggedBefore = clogged();
            boolean heldBackBefore = todos.isHeldBack();
            result = change.get();
            if (!idle.isEmpty() && todos.readyCount() > 0 && mayTake()) {
                woken = idle.stream().limit(todos.readyCount()).toList();
                woken.forEach(idle::remove);
            }
            wakeLoop = (todos.rereads().isRequested() && !readBefore)
                    || (plentyBefore && !todos.hasPlenty())
                    || (heavyBefore && !todos.isHeavy())
                    || (veryHeavyBefore && !todos.isVeryHeavy())
                    || (cloggedBefore && !clogged())
                    || (todos.isHeldBack() && !heldBackBefore);
            wakeSettler = settlerIsDue || recovers;
            settlerIsDue = false;
            brokeOff = false;
        } finally {
            lock.unlock();
        }
        wake(recovers, woken, wakeLoop || recovers, wakeSettler);
        return result;
    }

    private void wake(boolean allWorkers, List<Clock.Loop> workers, boolean loop, boolean settler) {
        for (Clock.Loop each : workers) {
            each.wakeAt(clock.now());
        }
        if (allWorkers) {
            wakesWorkers.run();
        }
        if (loop) {
            wakeLoop();
        }
        if (settler) {
            wakesSettler.run();
        }
    }
}
