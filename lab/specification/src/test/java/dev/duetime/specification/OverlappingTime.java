package dev.duetime.specification;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time for turns that overlap: several calls may {@link #linger}, and each ends at its own time, whichever
 * began last. Each loop has a thread, but only one of them runs at a time, so that a test gives the same result each
 * time. The clock of the testkit runs all turns in the test's thread: there a turn ends after those that began during
 * it.
 */
public final class OverlappingTime implements Clock, AutoCloseable {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final long NEVER = Long.MAX_VALUE;

    /** Far more turns than any test needs at one instant. */
    private static final int MOST_AT_ONCE = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Mutable state, guarded by lock.
    private final List<Turns> loops = new ArrayList<>();
    private long nanos;
    private @Nullable Turns running;
    private boolean closed;

    @Override
    public Instant now() {
        return START.plusNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Loop start(String name, Pass pass) {
        Turns loop = new Turns(name, pass);
        lock.lock();
        try {
            loops.add(loop);
        } finally {
            lock.unlock();
        }
        Thread thread = new Thread(loop::run, name);
        thread.setDaemon(true);
        thread.start();
        return loop;
    }

    /**
     * Lets time pass, and runs all turns that are due meanwhile, in order of time.
     *
     * @throws AssertionError if a loop runs turn after turn without a pause, so that time cannot pass
     */
    public void advance(Duration duration) {
        lock.lock();
        try {
            long end = nanos + duration.toNanos();
            int atOnce = 0;
            for (Turns next = next(end); next != null; next = next(end)) {
                atOnce = next.dueAt > nanos ? 0 : atOnce + 1;
                if (atOnce > MOST_AT_ONCE) {
                    throw new AssertionError("loop %s does not wait at %s".formatted(next.name, now()));
                }
                nanos = Math.max(nanos, next.dueAt);
                running = next;
                changed.signalAll();
                while (running != null) {
                    changed.awaitUninterruptibly();
                }
            }
            nanos = end;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Turns next(long end) {
        Turns next = null;
        for (Turns each : loops) {
            boolean isSooner = next == null || each.dueAt < next.dueAt;
            next = each.dueAt <= end && isSooner ? each : next;
        }
        return next;
    }

    /** Lets time pass inside a turn, while others run. */
    public void linger(Duration duration) {
        lock.lock();
        try {
            Turns turn = running;
            if (turn == null) {
                throw new IllegalStateException("linger must be called inside a turn");
            }
            turn.await(nanos + duration.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private long nanosOf(Instant instant) {
        if (instant.isAfter(START.plus(Duration.ofDays(10_000)))) {
            return NEVER;
        }
        return instant.isBefore(START) ? 0 : Duration.between(START, instant).toNanos();
    }

    /** Ends all threads. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The end of a thread that waits for a time which does not come. */
    private static final class TimeEnded extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final class Turns implements Loop {
        private final String name;
        private final Pass pass;

        // Mutable state, guarded by lock.
        private long dueAt;
        private long wokenFor = NEVER;
        private boolean inTurn;

        Turns(String name, Pass pass) {
            this.name = name;
            this.pass = pass;
        }

        private void run() {
            lock.lock();
            try {
                while (!closed) {
                    awaitTurn();
                    inTurn = true;
                    wokenFor = NEVER;
                    long next = turn();
                    inTurn = false;
                    dueAt = Math.min(next, wokenFor);
                    running = null;
                    changed.signalAll();
                }
            } catch (TimeEnded e) {
                // The test is over.
            } finally {
                lock.unlock();
            }
        }

        /** Runs a turn without the lock. */
        private long turn() {
            lock.unlock();
            try {
                return nanosOf(pass.run());
            } catch (InterruptedException e) {
                return NEVER;
            } finally {
                lock.lock();
            }
        }

        private void awaitTurn() {
            while (running != this) {
                if (closed) {
                    throw new TimeEnded();
                }
                changed.awaitUninterruptibly();
            }
        }

        private void await(long until) {
            dueAt = until;
            running = null;
            changed.signalAll();
            awaitTurn();
        }

        @Override
        public void wakeAt(Instant instant) {
            lock.lock();
            try {
                long at = Math.max(nanos, nanosOf(instant));
                if (inTurn) {
                    wokenFor = Math.min(wokenFor, at);
                } else {
                    dueAt = Math.min(dueAt, at);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean close(Duration limit) {
            lock.lock();
            try {
                loops.remove(this);
                return !inTurn;
            } finally {
                lock.unlock();
            }
        }
    }
}
