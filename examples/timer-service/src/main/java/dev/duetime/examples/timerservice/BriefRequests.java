package dev.duetime.examples.timerservice;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of {@link HttpEndpoint}. A request takes a thread from its first byte on. If it takes too long, for
 * example because its client does not send the rest, its thread is interrupted, which closes the connection.
 * Thread-safe.
 */
final class BriefRequests implements Executor, AutoCloseable {
    private static final int MOST_THREADS = 200;

    private final Duration longest;
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, MOST_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), BriefRequests::thread);
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, BriefRequests::thread);

    /**
     * Creates it.
     *
     * @param longest how long a request may take
     */
    BriefRequests(Duration longest) {
        this.longest = longest;
        watch.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "http");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(() -> {
            Request request = new Request(Thread.currentThread());
            Future<?> end = watch.schedule(request::interrupt, longest.toMillis(), TimeUnit.MILLISECONDS);
            try {
                work.run();
            } finally {
                end.cancel(false);
                request.end();
            }
        });
    }

    @Override
    public void close() {
        watch.shutdownNow();
        threads.shutdownNow();
    }

    /** A thread that answers one request. */
    private static final class Request {
        private final Thread thread;
        // Guarded by this.
        private boolean ended;

        Request(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt() {
            if (!ended) {
                thread.interrupt();
            }
        }

        /** Ends it, and clears the interrupt for the next request of this thread. Returns whether there was one. */
        synchronized boolean end() {
            ended = true;
            return Thread.interrupted();
        }
    }
}
