package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A background thread that runs one task at a time for a loop. The thread starts with the first task. If it has not
 * begun a task when the loop waits for it, the loop runs the task itself. So tasks also run after {@link #close}, and
 * in virtual time, where one thread runs all loops. Used by the loop's thread, except {@link #close}.
 *
 * @param <T> what comes of the work
 */
final class BackgroundTask<T> {
    private final Clock clock;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written by the loop's thread. */
    private volatile @Nullable FutureTask<T> work;

    private volatile @Nullable Thread worker;

    /** Whether nobody waits any more for work that hangs. */
    private volatile boolean abandoned;

    // Mutable state, guarded by lock.
    private Clock.@Nullable Loop loop;
    private boolean closed;

    /**
     * Creates it.
     *
     * @param name shown as the thread's name
     */
    BackgroundTask(Clock clock, String name) {
        this.clock = clock;
        this.name = name;
    }

    /** Begins work; what was begun before must have been waited for. */
    void begin(Callable<T> next) {
        Clock.Loop started = loop();
        work = new FutureTask<>(next);
        if (started != null) {
            started.wakeAt(Instant.MIN);
        }
    }

    private Clock.@Nullable Loop loop() {
        lock.lock();
        try {
            if (loop == null && !closed) {
                loop = clock.start(name, this::run);
            }
            return loop;
        } finally {
            lock.unlock();
        }
    }

    private Instant run() {
        FutureTask<T> begun = work;
        worker = Thread.currentThread();
        if (begun != null) {
            begun.run();
        }
        worker = null;
        return Instant.MAX;
    }

    /** Returns whether there is work that nobody has waited for. */
    boolean isUnderWay() {
        return work != null;
    }

    /**
     * Waits for the work, however long it takes unless that is given up; returns, or throws, what came of it.
     *
     * @throws StoreException also where that is not known: this very thread is about it, further up, or it hangs and
     *     {@link #close} did not wait longer; then it stays under way
     */
    T await() {
        FutureTask<T> begun = Objects.requireNonNull(work, "work");
        begun.run();
        if (!begun.isDone() && Thread.currentThread().equals(worker)) {
            work = null;
            throw new StoreException("wait for", name, new IllegalStateException("is in this thread"));
        }
        boolean interrupted = false;
        try {
            while (true) {
                if (abandoned && !begun.isDone()) {
                    throw new StoreException("wait for", name, new TimeoutException("it hangs"));
                }
                try {
                    T result = begun.get();
                    work = null;
                    return result;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    work = null;
                    throw unchecked(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    /**
     * Ends the thread: waits for the work that it does, at most for the given time, then interrupts it, and nobody
     * waits for it any more. By any thread.
     *
     * @return whether the thread has ended
     */
    boolean close(Duration limit) {
        Clock.Loop started;
        lock.lock();
        try {
            closed = true;
            started = loop;
        } finally {
            lock.unlock();
        }
        boolean ended = started == null || started.close(limit);
        abandoned = !ended;
        return ended;
    }
}
