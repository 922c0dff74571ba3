package dev.duetime.spring.autoconfigure;

import dev.duetime.Scheduler;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.SmartLifecycle;

/**
 * The lifecycle of the scheduler in the application. It is in the last phase: delivery starts after the web server
 * began to listen, and stops before the web server stops. Requests that the web server still finishes can schedule.
 * Other nodes deliver their timers, or this one after its next start.
 *
 * <p>While it runs, a thread that is no daemon keeps the process alive: the scheduler's own threads are daemons, and a
 * worker may have no web server. Thread-safe.
 */
final class SchedulerLifecycle implements SmartLifecycle {
    private static final String KEEP_ALIVE = "duetime-keep-alive";

    private final Scheduler scheduler;
    private final boolean autoStartup;
    private final boolean keepAlive;
    private final CountDownLatch stopped = new CountDownLatch(1);

    // Mutable state, volatile.
    private volatile boolean running;

    /**
     * Creates the lifecycle.
     *
     * @param keepAlive whether to keep the process alive while the scheduler delivers
     */
    SchedulerLifecycle(Scheduler scheduler, boolean autoStartup, boolean keepAlive) {
        this.scheduler = scheduler;
        this.autoStartup = autoStartup;
        this.keepAlive = keepAlive;
    }

    @Override
    public void start() {
        scheduler.start();
        running = true;
        if (keepAlive && !scheduler.admin().health().queues().isEmpty()) {
            Thread thread = new Thread(this::awaitStop, KEEP_ALIVE);
            thread.setDaemon(false);
            thread.start();
        }
    }

    private void awaitStop() {
        boolean interrupted = false;
        while (true) {
            try {
                stopped.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
        scheduler.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    /** A closed scheduler cannot be started again. So contexts of tests that Spring pauses leave it running. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
