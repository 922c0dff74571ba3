package dev.duetime.testkit;

import dev.duetime.Clock;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The time that all views of a {@link TestClock} share, and the loops that wait for it. Thread-safe. */
final class VirtualTime {
    private static final Duration TICK = Duration.of(1, ChronoUnit.MICROS);

    /** Never held during a turn. */
    final ReentrantLock lock = new ReentrantLock();

    final Condition turnOver = lock.newCondition();

    private final Instant start;

    // Mutable state, guarded by lock; loops are in order of registration.
    private final List<VirtualLoop> loops = new ArrayList<>();
    // The time is read without the lock.
    private volatile Instant now;
    private volatile long nanos;
    private @Nullable Thread advancing;
    private boolean everyTurn = true;
    /** How often something changed that may give any idle loop work: by the test, or by turns that did something. */
    private long changes;
    /** Counts the changes of the store; null if nothing does. */
    private @Nullable StoreChanges storeChanges;

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
        return now;
    }

    long nanoTime() {
        return nanos;
    }

    Clock.Loop start(VirtualLoop loop) {
        lock.lock();
        try {
            loops.add(loop);
            changes++;
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

    void watch(StoreChanges storeChanges) {
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
            // What a turn leaves to others is done, such as a settlement, if it has let more time pass.
            runUntil(now());
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

    /**
     * Runs what is due until then. A turn may let more time pass, and then this one ends. Otherwise loops that give
     * each other work would keep it here for as long as they have some: a worker whose todos take time, and another
     * one.
     */
    private void runUntil(Instant end) {
        for (VirtualLoop loop = nextTurn(end); loop != null; loop = now().isAfter(end) ? null : nextTurn(end)) {
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

    /** Notes that something changed that may give any loop work. */
    void changed() {
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

    /** Returns how often something changed that a loop may notice which reads these queues; null for all queues. */
    long changes(@Nullable Set<String> queues) {
        StoreChanges stored = storeChanges;
        return stored == null ? changes : changes + stored.count(queues);
    }

    /**
     * Notes the end of a turn. The caller holds the lock.
     *
     * @param changed whether the turn says that it may have changed something that all loops may notice
     * @param idle whether the turn says that it found nothing to do
     */
    void turned(boolean changed, boolean idle) {
        if (changed || (!idle && storeChanges == null)) {
            changes++;
        }
    }

    /**
     * Moves the time to the next turn that may do something, if all turns before it do nothing. The caller holds the
     * lock.
     */
    private void leaveOut(Instant last) {
        boolean calm = isCalm();
        Instant busyAt = last;
        for (VirtualLoop loop : loops) {
            if (busyAt.isAfter(now) && runs(loop)) {
                busyAt = Times.earlier(loop.busyAt(now, calm), busyAt);
            }
        }
        if (!busyAt.isAfter(now)) {
            return;
        }
        List<VirtualLoop> left = new ArrayList<>();
        for (VirtualLoop loop : loops) {
            if (runs(loop) && loop.dueAt(now).isBefore(busyAt)) {
                left.add(loop);
            }
        }
        if (!left.isEmpty()) {
            moveTo(busyAt);
            left.forEach(VirtualLoop::leaveOut);
        }
    }

    /** Returns whether all loops have found nothing to do since the last change. */
    private boolean isCalm() {
        for (VirtualLoop loop : loops) {
            if (runs(loop) && !loop.isCalm()) {
                return false;
            }
        }
        return true;
    }

    private boolean runs(VirtualLoop loop) {
        return !loop.isPaused() && !turning.contains(loop);
    }

    private void moveTo(Instant instant) {
        now = instant;
        nanos = Duration.between(start, now).toNanos();
    }

    /** Moves the time to the next turn and returns its loop. If there is none, moves it to the end and returns null. */
    private @Nullable VirtualLoop nextTurn(Instant end) {
        lock.lock();
        try {
            // A turn may have lingered beyond the end.
            Instant last = end.isBefore(now) ? now : end;
            VirtualLoop next = earliest(last);
            while (next != null && leavesOut(next)) {
                next = earliest(last);
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

    /** Moves the time to the earliest turn and returns its loop, or moves it to the last instant and returns null. */
    private @Nullable VirtualLoop earliest(Instant last) {
        if (!everyTurn) {
            leaveOut(last);
        }
        VirtualLoop next = null;
        Instant nextAt = last;
        for (VirtualLoop loop : loops) {
            Instant dueAt = runs(loop) ? loop.dueAt(now) : Instant.MAX;
            if (dueAt.isBefore(nextAt) || (next == null && dueAt.equals(last))) {
                next = loop;
                nextAt = dueAt;
            }
        }
        if (nextAt.isAfter(now)) {
            moveTo(nextAt);
        }
        return next;
    }

    /**
     * Skips the turn of a loop that is due now, if it does nothing: the turns before it at this instant have changed
     * nothing that it reads. Returns whether it did.
     */
    private boolean leavesOut(VirtualLoop loop) {
        if (everyTurn || !loop.busyAt(now, isCalm()).isAfter(now)) {
            return false;
        }
        Instant turn = now;
        moveTo(turn.plus(TICK));
        loop.leaveOut();
        moveTo(turn);
        return loop.dueAt(now).isAfter(now);
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
        changes++;
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
