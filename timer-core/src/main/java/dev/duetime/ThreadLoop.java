package dev.duetime;

import dev.duetime.internal.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that runs a pass again and again in a thread of its own. Only {@link #close} ends it: whatever is thrown, also
 * while an error is handled or logged, is survived. Locks instead of monitors keep virtual threads unpinned.
 */
final class ThreadLoop implements Clock.Loop {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final String name;
    private final Clock.Pass pass;
    private final Clock time;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Mutable state, guarded by lock. Woken by whichever comes first: the time may be set back, the count is not.
    private Instant wakeAt = Instant.MIN;
    private long wakeAtNanos;
    private volatile boolean closed;
    private volatile boolean ended;

    /**
     * Whether the last turn broke off, so that it is not known when the next one should be. Used by the loop's thread.
     */
    private boolean brokeOff;

    private ThreadLoop(String name, Clock.Pass pass, Clock time, ThreadFactory threads) {
        this.name = name;
        this.pass = pass;
        this.time = time;
        this.thread = threads.newThread(this::run);
    }

    static Clock.Loop start(String name, Clock.Pass pass, Clock time, ThreadFactory threads) {
        ThreadLoop loop = new ThreadLoop(name, pass, time, threads);
        loop.thread.setName(name);
        loop.thread.start();
        return loop;
    }

    private void run() {
        while (!closed) {
            try {
                if (awaitTurn()) {
                    wakeAt(runPass());
                }
            } catch (Throwable e) {
                survive(e);
            }
        }
        end();
    }

    /** Logs an error that no other code has handled. If memory is exhausted, the log may fail as well. */
    private void survive(Throwable error) {
        brokeOff = true;
        try {
            LOG.error("{} failed unexpectedly and continues in {}", name, AFTER_A_BUG, Trace.of(error));
        } catch (Throwable again) {
            // Nothing can be done now that takes memory.
        }
        try {
            if (!closed) {
                Thread.interrupted();
            }
            LockSupport.parkNanos(AFTER_A_BUG.toNanos());
        } catch (Throwable again) {
            // Then the next turn begins at once.
        }
    }

    /**
     * Waits until it is time; each turn begins with no wish to be woken, so that none made during a pass is lost. Only
     * {@link #close} ends a loop: any other interrupt is left over from a pass.
     */
    private boolean awaitTurn() {
        lock.lock();
        try {
            while (!closed) {
                long left = brokeOff ? 0 : nanosLeft();
                if (left <= 0) {
                    waitUntil(Instant.MAX);
                    brokeOff = false;
                    return !clearInterrupt();
                }
                try {
                    @SuppressWarnings("unused") // the time decides, not the reason for the end of the wait
                    boolean early = changed.await(left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    LOG.debug("{} was interrupted while it waited", name, e);
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is left of a former turn must not reach the store. Returns whether the interrupt was that of {@link #close}.
     */
    private boolean clearInterrupt() {
        if (Thread.interrupted() && closed) {
            Thread.currentThread().interrupt();
        }
        return closed;
    }

    private void waitUntil(Instant instant) {
        // The question for the time may break off: the wish must not be noted before.
        long nanos = time.nanoTime() + nanosUntil(instant);
        wakeAt = instant;
        wakeAtNanos = nanos;
    }

    /** If the question for the time breaks off, the next turn begins at once: nobody may wake the loop again. */
    private void wake(Instant instant) {
        boolean isNoted = false;
        try {
            waitUntil(instant);
            isNoted = true;
        } finally {
            wakeAt = isNoted ? wakeAt : Instant.MIN;
            changed.signalAll();
        }
    }

    private long nanosLeft() {
        long left = nanosUntil(wakeAt);
        return left <= 0 ? left : Math.min(left, wakeAtNanos - time.nanoTime());
    }

    /** Asks for the time only where it matters: a pass may take less than that. */
    private long nanosUntil(Instant instant) {
        if (instant.equals(Instant.MIN)) {
            return 0;
        }
        if (instant.equals(Instant.MAX)) {
            return LONGEST_WAIT.toNanos();
        }
        Duration left = Duration.between(time.now(), instant);
        if (left.isNegative()) {
            return 0;
        }
        return left.compareTo(LONGEST_WAIT) < 0 ? left.toNanos() : LONGEST_WAIT.toNanos();
    }

    private Instant runPass() {
        try {
            return pass.run();
        } catch (InterruptedException e) {
            if (closed) {
                Thread.currentThread().interrupt();
                return Instant.MAX;
            }
            // Not ours: a publisher passes on the interrupt of a thread of its own. A loop that ended by it would hold
            // its shards and deliver nothing.
            // Not with the exception, whose cause is the publisher's and may quote a payload.
            LOG.warn("{} was interrupted although it is not closed, and continues in {}", name, AFTER_A_BUG);
            return time.now().plus(AFTER_A_BUG);
        }
    }

    private void end() {
        ended = true;
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeAt(Instant instant) {
        lock.lock();
        try {
            if (instant.isBefore(wakeAt)) {
                wake(instant);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean close(Duration limit) {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            LockSupport.unpark(thread);
            if (Thread.currentThread() == thread) {
                return false;
            }
            if (!awaitEnd(limit)) {
                thread.interrupt();
            }
            return ended;
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitEnd(Duration limit) throws InterruptedException {
        long nanos = limit.toNanos();
        while (!ended && nanos > 0) {
            nanos = changed.awaitNanos(nanos);
        }
        return ended;
    }
}
