package dev.duetime.testkit;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import dev.duetime.testkit.fault.NodeCrash;
import java.time.Duration;
import java.time.Instant;

/** Runs a pass whenever virtual time has come, in the thread that advances it. Thread-safe: the lock is the time's. */
final class VirtualLoop implements Clock.Loop {
    /** So many turns at one instant mean that the loop will never let time pass. */
    static final int MOST_TURNS = 100_000;

    /** As in production, where what a pass throws is a bug that must not end the loop. */
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(1);

    /** Later than any due time can be: such a loop waits until it is woken. */
    private static final Instant NEVER = Instant.parse("+99999-01-01T00:00:00Z");

    private final VirtualTime time;
    private final TestClock.Node node;
    private final String name;
    private final Clock.Pass pass;
    private final Clock by;

    // Mutable state, guarded by the time's lock; wakeAt is by the clock that it waits by.
    private Instant wakeAt = Instant.MIN;
    /** Until when turns find nothing to do, as the last one said, and what had been changed by then. */
    private Instant idleUntil = Instant.MIN;

    private long idleSince;
    private long idleIn;
    private Instant turnedAt = Instant.MIN;
    private int turns;
    private boolean interrupted;
    private boolean removed;

    VirtualLoop(VirtualTime time, TestClock.Node node, String name, Clock.Pass pass, Clock by) {
        this.time = time;
        this.node = node;
        this.name = name;
        this.pass = pass;
        this.by = by;
    }

    boolean isPaused() {
        return node.isPaused();
    }

    @SuppressWarnings("ReferenceEquality")
    boolean isOf(TestClock.Node other) {
        return node == other;
    }

    /** Returns when its next turn is: now or later. */
    Instant dueAt(Instant now) {
        return at(wakeAt, now);
    }

    /** Returns when its next turn is that may do something: turns before that may be left out. */
    Instant busyAt(Instant now, long changes, boolean calm) {
        boolean valid = idleSince == changes || (calm && isAlwaysIdle());
        return valid && idleUntil.isAfter(wakeAt) ? at(idleUntil, now) : at(wakeAt, now);
    }

    /** What the test did before it advanced the clock is seen by one turn all the same. */
    private boolean isAlwaysIdle() {
        return idleUntil.equals(Instant.MAX) && idleIn == time.advances();
    }

    /** Returns whether it has found nothing to do since the last change, or waits to be woken. */
    boolean isCalm(long changes) {
        return wakeAt.isAfter(NEVER) || isAlwaysIdle() || (idleSince == changes && idleUntil.isAfter(wakeAt));
    }

    private Instant at(Instant instant, Instant now) {
        if (instant.isAfter(NEVER)) {
            return Instant.MAX;
        }
        Instant time = by.now();
        return instant.isAfter(time) ? Micros.ceil(now.plus(Duration.between(time, instant))) : now;
    }

    /** Makes everything as if the turns before now had been run; the lock is held, and time stands at the first one after. */
    void leaveOut() {
        wakeAt = pass.leftOut();
    }

    /** Begins a turn, with no wish to be woken, so that none made during it is lost. */
    void begin(Instant now) {
        turns = now.equals(turnedAt) ? turns + 1 : 1;
        turnedAt = now;
        if (turns > MOST_TURNS) {
            turns = 0;
            throw new AssertionError(
                    "loop %s ran %d times at %s and lets no time pass".formatted(name, MOST_TURNS, now));
        }
        wakeAt = Instant.MAX;
        idleUntil = Instant.MIN;
    }

    void turn() {
        Instant next = by.now().plus(AFTER_A_BUG);
        try {
            next = pass.run();
        } catch (InterruptedException e) {
            end();
        } catch (NodeCrash e) {
            if (!isRemoved()) {
                throw e;
            }
        } finally {
            endTurn(next);
        }
    }

    /** Ends the loop, as the pass wishes; an interrupt that no {@link #close} made is the test's, and restored. */
    private void end() {
        time.lock.lock();
        try {
            remove();
            if (!interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            time.lock.unlock();
        }
    }

    private boolean isRemoved() {
        time.lock.lock();
        try {
            return removed;
        } finally {
            time.lock.unlock();
        }
    }

    private void endTurn(Instant next) {
        time.lock.lock();
        try {
            boolean woken = !wakeAt.equals(Instant.MAX);
            wakeAt(next);
            idleUntil = woken || removed ? Instant.MIN : pass.idleUntil();
            idleSince = time.turned(idleUntil.equals(Instant.MIN));
            idleIn = time.advances();
            if (interrupted) {
                // It was meant for the pass, which may not have noticed.
                Thread.interrupted();
            }
            time.turnIsOver(this);
        } finally {
            time.lock.unlock();
        }
    }

    @Override
    public void wakeAt(Instant instant) {
        time.lock.lock();
        try {
            wakeAt = instant.isBefore(wakeAt) ? instant : wakeAt;
            idleUntil = Instant.MIN;
        } finally {
            time.lock.unlock();
        }
    }

    /** Takes the loop out; the lock is held. */
    void remove() {
        removed = true;
        time.remove(this);
    }

    /** Removes the loop. From inside its own turn it cannot wait for its end, and returns false. */
    @Override
    public boolean close(Duration limit) {
        time.lock.lock();
        try {
            remove();
            Thread thread = time.threadIn(this);
            if (thread == null || thread == Thread.currentThread()) {
                return thread == null;
            }
            if (awaitEnd(limit)) {
                return true;
            }
            interrupted = true;
            thread.interrupt();
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return time.threadIn(this) == null;
        } finally {
            time.lock.unlock();
        }
    }

    private boolean awaitEnd(Duration limit) throws InterruptedException {
        long nanos = limit.toNanos();
        while (time.threadIn(this) != null && nanos > 0) {
            nanos = time.turnOver.awaitNanos(nanos);
        }
        return time.threadIn(this) == null;
    }
}
