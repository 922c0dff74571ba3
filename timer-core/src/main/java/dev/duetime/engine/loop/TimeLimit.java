package dev.duetime.engine.loop;

import dev.duetime.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time limit for handlers. It interrupts a worker's thread that runs a handler for too long, and never at any other
 * time. Thread-safe.
 */
public final class TimeLimit {
    private final Clock clock;
    private final @Nullable Duration limit;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private @Nullable Thread thread;
    private int shard;
    private long endsAtNanos;
    private boolean over;
    private boolean lost;

    public TimeLimit(Clock clock, @Nullable Duration limit) {
        this.clock = clock;
        this.limit = limit;
    }

    /**
     * Begins to measure a run of the current thread. Returns after how long it is interrupted; null for never.
     *
     * @param ofShard the shard of the todo that runs
     */
    @Nullable
    public Duration begin(int ofShard) {
        lock.lock();
        try {
            over = false;
            lost = false;
            thread = Thread.currentThread();
            shard = ofShard;
            if (limit != null) {
                endsAtNanos = clock.nanoTime() + limit.toNanos();
            }
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the run. Returns whether it took too long. If this limit has interrupted the thread, the flag is cleared.
     */
    public boolean end() {
        lock.lock();
        try {
            boolean late = over || (limit != null && thread != null && clock.nanoTime() - endsAtNanos >= 0);
            if (over || lost) {
                Thread.interrupted();
            }
            thread = null;
            over = false;
            return late;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the run under way, by any thread, if its shard is not among those that the node still owns. */
    public void ownsOnly(Set<Integer> owned) {
        lock.lock();
        try {
            if (thread != null && !owned.contains(shard) && !lost) {
                lost = true;
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the last run was interrupted because its shard was lost. */
    public boolean hasLostShard() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it has interrupted the run under way. */
    public boolean hasInterrupted() {
        lock.lock();
        try {
            return thread != null && (over || lost);
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the run under way if it takes too long. Returns how long it may still take. */
    public Duration check() {
        lock.lock();
        try {
            if (limit == null || thread == null || over) {
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
