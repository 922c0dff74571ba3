package dev.duetime.testkit;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time that all views of a {@link TestClock} share, and the loops that wait for it. Thread-safe. */
final class VirtualTime {
    /** Never held during a turn. */
    final ReentrantLock lock = new ReentrantLock();

    final Condition turnOver = lock.newCondition();

    private final Instant start;

    // Mutable state, guarded by lock; loops are in order of registration.
    private final List<VirtualLoop> loops = new ArrayList<>();
    private Instant now;
    private long nanos;
    private @Nullable Thread advancing;
    private boolean everyTurn = true;
    /** How often something changed that may give idle loops work: by the test, or by turns that did something. */
    private long changes;
    /** Counts the changes of the store, and what it said last. */
    private LongSupplier storeChanges = () -> 0;

    private long lastStoreChanges;

    private long advances;
    /**
     * The turns under way, the running one first. The others wait inside their turns, {@linkplain #linger lingering}.
     */
    private final Deque<VirtualLoop> turning = new ArrayDeque<>();

    VirtualTime(Instant start) {
        this.start = start;
        this.now = start;
    }

    Instant now() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    long nanoTime() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    Clock.Loop start(VirtualLoop loop) {
        lock.lock();
        try {
            loops.add(loop);
        } finally {
            lock.unlock();
        }
        return loop;
    }

    void everyTurn(boolean runs) {
        lock.lock();
        try {
            everyTurn = runs;
        } finally {
            lock.unlock();
        }
    }

    void watch(LongSupplier storeChanges) {
        lock.lock();
        try {
            this.storeChanges = storeChanges;
        } finally {
            lock.unlock();
        }
    }

    void advanceTo(Instant end) {
        beginAdvance(end);
        try {
            runUntil(end);
        } finally {
            endAdvance();
        }
    }

    void linger(Instant end) {
        if (isInsideTurn()) {
            changed();
            runUntil(end);
        } else {
            advanceTo(end);
        }
    }

    private boolean isInsideTurn() {
        lock.lock();
        try {
            return advancing == Thread.currentThread() && !turning.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void runUntil(Instant end) {
        for (VirtualLoop loop = nextTurn(end); loop != null; loop = nextTurn(end)) {
            loop.turn();
        }
    }

    private void beginAdvance(Instant end) {
        lock.lock();
        try {
            if (advancing != null) {
                throw new IllegalStateException(
                        advancing == Thread.currentThread()
                                ? "the clock cannot be advanced from inside a turn of a loop"
                                : "the clock is being advanced by thread " + advancing.getName());
            }
            if (end.isBefore(now)) {
                throw new IllegalArgumentException("instant must not be before now %s but was %s".formatted(now, end));
            }
            advancing = Thread.currentThread();
            changes++;
            advances++;
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        lock.lock();
        try {
            changes++;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often the clock was advanced. The caller holds the lock. */
    long advances() {
        return advances;
    }

    /**
     * Notes the end of a turn, and returns the number of changes so far. The caller holds the lock.
     *
     * @param changed whether the turn says that it may have changed something
     */
    long turned(boolean changed) {
        long stored = storeChanges.getAsLong();
        changes += changed || stored != lastStoreChanges ? 1 : 0;
        lastStoreChanges = stored;
        return changes;
    }

    /**
     * Moves the time to the next turn that may do something, if all turns before it do nothing. The caller holds the
     * lock.
     */
    private void leaveOut(Instant last) {
        List<VirtualLoop> running = loops.stream()
                .filter(loop -> !loop.isPaused() && !turning.contains(loop))
                .toList();
        boolean calm = running.stream().allMatch(loop -> loop.isCalm(changes));
        Instant busyAt = last;
        for (VirtualLoop loop : running) {
            Instant at = loop.busyAt(now, changes, calm);
            busyAt = at.isBefore(busyAt) ? at : busyAt;
        }
        List<VirtualLoop> left = new ArrayList<>();
        for (VirtualLoop loop : running) {
            if (loop.dueAt(now).isBefore(busyAt)) {
                left.add(loop);
            }
        }
        if (!left.isEmpty()) {
            moveTo(busyAt);
            left.forEach(VirtualLoop::leaveOut);
        }
    }

    private void moveTo(Instant instant) {
        now = instant;
        nanos = Duration.between(start, now).toNanos();
    }

    /** Moves the time to the next turn and returns its loop. If there is none, moves it to the end and returns null. */
    private @Nullable VirtualLoop nextTurn(Instant end) {
        lock.lock();
        try {
            VirtualLoop next = null;
            // A turn may have lingered beyond the end.
            Instant last = end.isBefore(now) ? now : end;
            if (!everyTurn) {
                leaveOut(last);
            }
            Instant nextAt = last;
            for (VirtualLoop loop : loops) {
                Instant dueAt = loop.isPaused() || turning.contains(loop) ? Instant.MAX : loop.dueAt(now);
                if (dueAt.isBefore(nextAt) || (next == null && dueAt.equals(last))) {
                    next = loop;
                    nextAt = dueAt;
                }
            }
            if (nextAt.isAfter(now)) {
                moveTo(nextAt);
            }
            if (next != null) {
                turning.push(next);
                next.begin(now);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void endAdvance() {
        lock.lock();
        try {
            advancing = null;
            turning.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Removes the loop. The caller holds the lock. */
    void remove(VirtualLoop loop) {
        loops.remove(loop);
    }

    /** Returns the thread that is inside a turn of the loop, if any. The caller holds the lock. */
    @Nullable
    Thread threadIn(VirtualLoop loop) {
        return turning.contains(loop) ? advancing : null;
    }

    /** Notes the end of a turn. The caller holds the lock. */
    void turnIsOver(VirtualLoop loop) {
        turning.remove(loop);
        turnOver.signalAll();
    }

    void kill(TestClock.Node node) {
        lock.lock();
        try {
            List.copyOf(loops).stream().filter(loop -> loop.isOf(node)).forEach(VirtualLoop::remove);
        } finally {
            lock.unlock();
        }
    }

    boolean isRunningHere(TestClock.Node node) {
        lock.lock();
        try {
            VirtualLoop running = turning.peek();
            return advancing == Thread.currentThread() && running != null && running.isOf(node);
        } finally {
            lock.unlock();
        }
    }
}
