package dev.duetime.console;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of {@link ConsoleServer}. A client that sends its request too slowly, or does not read the answer, holds
 * a thread only for a limited time: the thread is interrupted then, which closes the connection. Time that the console
 * needs itself does not count. Thread-safe.
 */
final class SlowClients implements Executor, AutoCloseable {
    private static final int MOST_THREADS = 200;

    private final Duration limit;
    private final Map<Thread, Visit> visits = new ConcurrentHashMap<>();
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, MOST_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), SlowClients::thread);
    private final Future<?> checks;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(SlowClients::thread);

    /**
     * Creates it.
     *
     * @param limit how long the thread waits for a client at most
     */
    SlowClients(Duration limit) {
        this.limit = limit;
        long pause = Math.max(1, limit.toMillis() / 4);
        checks = watch.scheduleWithFixedDelay(
                () -> visits.values().forEach(Visit::check), pause, pause, TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "duetime-console");
        thread.setDaemon(true);
        return thread;
    }

    /** Runs the work of a connection. It begins by waiting for the client. */
    @Override
    public void execute(Runnable work) {
        threads.execute(() -> {
            Visit visit = new Visit(Thread.currentThread());
            visits.put(visit.thread, visit);
            try {
                work.run();
            } finally {
                visits.remove(visit.thread);
                visit.end();
            }
        });
    }

    private Visit current() {
        return Objects.requireNonNull(visits.get(Thread.currentThread()), "only threads of this server wait");
    }

    /** Says that this thread begins to wait for its client. */
    void beginWait() {
        current().begin();
    }

    /**
     * Says that this thread no longer waits.
     *
     * @throws InterruptedIOException if it waited too long
     */
    void endWait() throws InterruptedIOException {
        if (current().end()) {
            throw new InterruptedIOException("the client is too slow");
        }
    }

    @Override
    public void close() {
        checks.cancel(false);
        watch.shutdownNow();
        threads.shutdownNow();
    }

    /** A thread that works for one client. */
    private final class Visit {
        private final Thread thread;
        // Guarded by this.
        private long sinceNanos = System.nanoTime();
        private boolean waits = true;

        Visit(Thread thread) {
            this.thread = thread;
        }

        synchronized void begin() {
            sinceNanos = System.nanoTime();
            waits = true;
        }

        /** Returns whether the thread was interrupted, and clears that. */
        synchronized boolean end() {
            waits = false;
            return Thread.interrupted();
        }

        synchronized void check() {
            if (waits && System.nanoTime() - sinceNanos >= limit.toNanos()) {
                waits = false;
                thread.interrupt();
            }
        }
    }
}
