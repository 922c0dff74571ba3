package dev.duetime.engine;

import dev.duetime.Clock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts a worker's thread while it runs a handler for too long, and at no other time. Thread-safe. */
final class TimeLimit {
    private final Clock clock;
    private final @Nullable Duration limit;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private @Nullable Thread thread;
    private long endsAtNanos;
    private boolean over;

    TimeLimit(Clock clock, @Nullable Duration limit) {
        this.clock = clock;
        this.limit = limit;
    }

    /** Begins to measure a run of the current thread; returns after how long it is interrupted, null for never. */
    @Nullable
    Duration begin() {
        lock.lock();
        try {
            over = false;
            if (limit != null) {
                thread = Thread.currentThread();
                endsAtNanos = clock.nanoTime() + limit.toNanos();
            }
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the run; returns whether it took too long. No interrupt of this limit's is left over. */
    boolean end() {
        lock.lock();
        try {
            boolean late = over || (thread != null && clock.nanoTime() - endsAtNanos >= 0);
            if (over) {
                Thread.interrupted();
            }
            thread = null;
            over = false;
            return late;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the run under way if it takes too long; returns how long it may still take. */
    Duration check() {
        lock.lock();
        try {
            if (thread == null || over) {
                return Duration.ofDays(1);
            }
            long left = endsAtNanos - clock.nanoTime();
            if (left > 0) {
                return Duration.ofNanos(left);
            }
            over = true;
            thread.interrupt();
            return Duration.ofDays(1);
        } finally {
            lock.unlock();
        }
    }
}
