package dev.duetime.spring;

import dev.duetime.Scheduler;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The lifecycle of the scheduler in the application. It is in the last phase: delivery starts after the web server
 * began to listen, and stops before the web server stops. Requests that the web server still finishes can schedule.
 * Other nodes deliver their timers, or this one after its next start. Thread-safe.
 */
final class SchedulerLifecycle implements SmartLifecycle, DisposableBean {
    private final Scheduler scheduler;
    private final ClosingFlag closing;
    private final boolean autoStartup;

    // Mutable state, volatile.
    private volatile boolean running;

    SchedulerLifecycle(Scheduler scheduler, ClosingFlag closing, boolean autoStartup) {
        this.scheduler = scheduler;
        this.closing = closing;
        this.autoStartup = autoStartup;
    }

    @Override
    public void start() {
        scheduler.start();
        running = true;
    }

    @Override
    public void stop() {
        closing.raise();
        scheduler.close();
        running = false;
    }

    /** If the application started the scheduler itself, it is closed after this. */
    @Override
    public void destroy() {
        closing.raise();
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
