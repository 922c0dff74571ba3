package dev.duetime.testkit;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import dev.duetime.testkit.fault.HeapFull;
import dev.duetime.testkit.fault.NodeCrash;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A loop in virtual time. The thread that advances the time runs its turns. Thread-safe, by the lock of {@link
 * VirtualTime}.
 */
final class VirtualLoop implements Clock.Loop {
    /** A loop with this many turns at one instant will never let time pass. */
    static final int MOST_TURNS = 100_000;

    /** The wait after a pass threw; in production, too, such a bug does not end the loop. */
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(1);

    /** An instant later than any due time. A loop that waits for it waits until it is woken. */
    private static final Instant NEVER = Instant.parse("+99999-01-01T00:00:00Z");

    private final VirtualTime time;
    private final TestClock.Node node;
    private final String name;
    private final Clock.Pass pass;
    private final Clock by;
    private final @Nullable Set<String> queues;

    // Mutable state, guarded by the time's lock; wakeAt is by the clock that it waits by.
    private Instant wakeAt = Instant.MIN;
    /** The virtual time of wakeAt, as it was when wakeAt was set. Like a thread, the loop waits no longer than that. */
    private Instant countedTo = Instant.MIN;
    /** How often the node's clock had jumped then. */
    private long jumps;
    /** Until when turns find nothing to do, as the last turn answered. */
    private Instant idleUntil = Instant.MIN;
    /** The virtual time of idleUntil, as it was when the turn answered. */
    private Instant idleTo = Instant.MIN;

    private long idleJumps;
    /** How many changes there had been when that turn began. */
    private long idleSince;

    private long turnSince;
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
        queues = pass.queuesRead();
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
        if (isSteadySince(jumps)) {
            return Times.later(countedTo, now);
        }
        Instant at = at(wakeAt, now);
        return at.isAfter(countedTo) ? Times.later(countedTo, now) : at;
    }

    private void waitUntil(Instant instant) {
        wakeAt = instant;
        countedTo = at(instant, time.now());
        jumps = node.jumps();
    }

    /** Returns whether the clock that it waits by has moved as the virtual time has. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isSteadySince(long jumpsThen) {
        return by == node && node.jumps() == jumpsThen;
    }

    /** Returns whether it has nothing to do at its next turn, unless something has changed. */
    private boolean isIdle() {
        return idleUntil.isAfter(wakeAt);
    }

    /** Returns when its next turn is that may do something. Earlier turns may be skipped. */
    Instant busyAt(Instant now, boolean calm) {
        if (isIdle() && (idleSince == time.changes(queues) || (calm && isAlwaysIdle()))) {
            return isSteadySince(idleJumps) ? Times.later(idleTo, now) : at(idleUntil, now);
        }
        return dueAt(now);
    }

    /**
     * Returns whether it is idle until it is woken. One turn must still see what the test did before it advanced the
     * clock.
     */
    private boolean isAlwaysIdle() {
        return idleUntil.equals(Instant.MAX) && idleIn == time.advances();
    }

    /** Returns whether it has found nothing to do since the last change, or waits to be woken. */
    boolean isCalm() {
        return wakeAt.isAfter(NEVER) || isAlwaysIdle() || (isIdle() && idleSince == time.changes(queues));
    }

    private Instant at(Instant instant, Instant now) {
        if (instant.isAfter(NEVER)) {
            return Instant.MAX;
        }
        Instant time = by.now();
        return instant.isAfter(time) ? Micros.ceil(now.plus(Duration.between(time, instant))) : now;
    }

    /**
     * Sets the state as if the turns before now had run. The caller holds the lock, and the time is no later than that
     * of the first turn after them.
     */
    void leaveOut() {
        waitUntil(pass.leftOut());
    }

    /** Begins a turn. Clears wake-ups first, so that a wake-up during the turn is not lost. */
    void begin(Instant now) {
        turns = now.equals(turnedAt) ? turns + 1 : 1;
        turnedAt = now;
        if (turns > MOST_TURNS) {
            turns = 0;
            throw new AssertionError(
                    "loop %s ran %d times at %s and lets no time pass".formatted(name, MOST_TURNS, now));
        }
        waitUntil(Instant.MAX);
        idleUntil = Instant.MIN;
        turnSince = time.changes(queues);
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
        } catch (HeapFull e) {
            // As in production, only this turn is over.
        } finally {
            endTurn(next);
        }
    }

    /**
     * Ends the loop, as the pass demands. An interrupt that did not come from {@link #close} belongs to the test and is
     * restored.
     */
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
            idleUntil = removed ? Instant.MIN : pass.idleUntil();
            time.turned(idleUntil.equals(Instant.MIN), isIdle());
            idleUntil = woken ? Instant.MIN : idleUntil;
            idleTo = at(idleUntil, time.now());
            idleJumps = node.jumps();
            idleSince = turnSince;
            idleIn = time.advances();
            if (interrupted) {
                // The interrupt was meant for the pass, which may not have noticed it.
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
            if (instant.isBefore(wakeAt)) {
                waitUntil(instant);
            }
            idleUntil = Instant.MIN;
        } finally {
            time.lock.unlock();
        }
    }

    /** Removes the loop. The caller holds the lock. */
    void remove() {
        removed = true;
        time.remove(this);
    }

    /** Removes the loop. Inside its own turn it cannot wait for its end, and returns false. */
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
