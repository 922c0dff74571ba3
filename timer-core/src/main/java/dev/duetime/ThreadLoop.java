package dev.duetime;

import dev.duetime.internal.Trace;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a pass again and again in a thread of its own. Locks instead of monitors keep virtual threads unpinned. */
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
    private boolean closed;
    private boolean ended;

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
        try {
            while (awaitTurn()) {
                wakeAt(runPass());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    /**
     * Waits until it is time; each turn begins with no wish to be woken, so that none made during a pass is lost. Only {@link
     * #close} ends a loop: any other interrupt is left over from a pass.
     */
    private boolean awaitTurn() {
        lock.lock();
        try {
            while (!closed) {
                long left = nanosLeft();
                if (left <= 0) {
                    waitUntil(Instant.MAX);
                    return true;
                }
                try {
                    @SuppressWarnings("unused") // the time decides, not why the wait is over
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

    private void waitUntil(Instant instant) {
        wakeAt = instant;
        wakeAtNanos = time.nanoTime() + nanosUntil(instant);
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

    private Instant runPass() throws InterruptedException {
        if (!isClosed()) {
            UserCode.clearInterrupt();
        }
        try {
            return pass.run();
        } catch (InterruptedException e) {
            if (isClosed()) {
                throw e;
            }
            // Not ours: a publisher passes on the interrupt of a thread of its own. A loop that ended by it would hold
            // its shards and deliver nothing.
            // Not with the exception, whose cause is the publisher's and may quote a payload.
            LOG.warn("{} was interrupted though it is not closed, and goes on in {}", name, AFTER_A_BUG);
        } catch (Throwable e) {
            // Passes handle what can go wrong; whatever comes here is a bug, and must not end the loop for good.
            LOG.error("{} failed unexpectedly and goes on in {}", name, AFTER_A_BUG, Trace.of(e));
        }
        return time.now().plus(AFTER_A_BUG);
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
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
                waitUntil(instant);
                changed.signalAll();
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
