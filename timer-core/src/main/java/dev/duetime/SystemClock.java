package dev.duetime;

import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/**
 * The time of this machine, and waiting in threads. No other class reads wall time. By default the scheduler uses only
 * the threads of this class, and takes its time from the database. Thread-safe.
 */
public final class SystemClock implements Clock {
    private final ThreadFactory threads;

    /** Creates a clock whose loops run in platform threads that do not keep the process alive. */
    public SystemClock() {
        this(SystemClock::daemon);
    }

    /**
     * Creates a clock whose loops run in threads of this factory; virtual threads are fine.
     *
     * @throws IllegalArgumentException if {@code threads} is null
     */
    public SystemClock(ThreadFactory threads) {
        ThreadFactory given = Limits.given("threads", threads);
        this.threads = body -> {
            Thread thread = given.newThread(body);
            if (thread == null) {
                throw new IllegalStateException("thread factory must return a thread but returned null");
            }
            return thread;
        };
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Instant now() {
        return Micros.floor(Instant.now());
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Loop start(String name, Pass pass) {
        return start(name, pass, this);
    }

    @Override
    public Loop start(String name, Pass pass, Clock time) {
        return ThreadLoop.start(name, pass, time, threads);
    }

    @Override
    public Future<?> run(String name, Runnable work) {
        FutureTask<?> task = new FutureTask<>(Executors.callable(work));
        Thread thread = threads.newThread(task);
        thread.setName(name);
        thread.start();
        return task;
    }
}
