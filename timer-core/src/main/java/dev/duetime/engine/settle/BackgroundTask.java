package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.UserCode;
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
 * @param <T> the result of a task
 */
final class BackgroundTask<T> {
    private final Clock clock;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written by the loop's thread. */
    private volatile @Nullable FutureTask<T> work;

    private volatile @Nullable Thread worker;

    /** Whether no thread waits any longer for a task that hangs. */
    private volatile boolean abandoned;

    // Mutable state, guarded by lock.
    private Clock.@Nullable Loop loop;
    private boolean closed;

    /**
     * Creates a task without a thread.
     *
     * @param name the name of the thread
     */
    BackgroundTask(Clock clock, String name) {
        this.clock = clock;
        this.name = name;
    }

    /**
     * Begins a task. The result of the previous one must have been awaited. If the thread cannot be started, the thread
     * that awaits the result runs the task.
     */
    void begin(Callable<T> next) {
        work = new FutureTask<>(next);
        try {
            Clock.Loop started = loop();
            if (started != null) {
                started.wakeAt(Instant.MIN);
            }
        } catch (RuntimeException | Error e) {
            // No memory for a thread, or the user's thread factory has failed.
            UserCode.rethrowFatal(e);
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

    /** Returns whether there is a task whose result no thread has awaited. */
    boolean isUnderWay() {
        return work != null;
    }

    /**
     * Waits for the task, however long it takes, and returns or throws its result. After {@link #close} it gives up a
     * task that hangs.
     *
     * @throws StoreException also if the result is not known: this thread itself is running the task, further up its
     *     stack, or the task hangs and {@link #close} did not wait longer; in the second case the task stays under way
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
                    throw Errors.unchecked(Errors.cause(e));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the thread. Waits for its task, at most for the given time, and then interrupts it; after that no thread
     * waits for it. Called by any thread.
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
