package dev.duetime.console.internal.action;

import dev.duetime.Scheduler;
import dev.duetime.admin.BoundedCount;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What operators did through this console: runs under way, runs that have ended, single actions. Thread-safe. */
public final class Runs implements AutoCloseable {
    private static final int KEPT = 50;
    private static final int DEEDS_KEPT = 200;
    private static final int AT_ONCE = 2;
    private static final int IDLE_SECONDS = 30;
    private static final int ORIGIN = 8;

    private final Scheduler scheduler;
    private final Executor executor;
    /** Begins the names of all runs. Another node, or this one after a restart, must not take them for its own. */
    private final String origin = UUID.randomUUID().toString().substring(0, ORIGIN);

    // Mutable state, guarded by this.
    private final Deque<Run> runs = new ArrayDeque<>();
    private final Deque<Deed> deeds = new ArrayDeque<>();
    private int last;
    private boolean isClosed;

    /** Creates it for a scheduler. */
    public Runs(Scheduler scheduler, Executor executor) {
        this.scheduler = scheduler;
        this.executor = executor;
    }

    /** Returns threads for two runs at a time, which do not keep the process alive. */
    public static Executor threads() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(AT_ONCE, AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        threads.allowCoreThreadTimeOut(true);
        threads.setThreadFactory(work -> {
            Thread thread = new Thread(work, "duetime-console-run");
            thread.setDaemon(true);
            return thread;
        });
        return threads;
    }

    /**
     * Begins an operation on all timers that match, or lets it wait for one of two runs under way.
     *
     * <p>A browser may send a form twice. So a question that has begun a run already leads to that run, unless the run
     * was stopped or failed.
     *
     * @param question what the sender was asked
     * @param expected how many match
     * @throws IllegalArgumentException if the console is closed
     */
    public synchronized Run begin(Question question, BoundedCount expected) {
        if (isClosed) {
            throw new IllegalArgumentException("the console is being closed; nothing was changed");
        }
        for (Run run : runs) {
            if (run.answers(question)) {
                return run;
            }
        }
        Instant now = scheduler.now();
        Run run = new Run(origin + "-" + ++last, question, expected, now);
        runs.addFirst(run);
        while (runs.size() > KEPT && runs.getLast().ended() != null) {
            runs.removeLast();
        }
        // The end of a run is noted also while the database is away.
        executor.execute(() ->
                run.execute(scheduler.admin(), () -> scheduler.admin().health().at()));
        return run;
    }

    /** Notes an action that is no run. */
    public synchronized void note(Deed deed) {
        deeds.addFirst(deed);
        if (deeds.size() > DEEDS_KEPT) {
            deeds.removeLast();
        }
    }

    /** Returns the actions that are no runs, the latest first. */
    public synchronized List<Deed> deeds() {
        return List.copyOf(deeds);
    }

    /** Returns all runs, the latest first. */
    public synchronized List<Run> all() {
        return List.copyOf(runs);
    }

    /** Stops all runs after their current batches, and begins no more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        all().forEach(Run::stop);
    }
}
