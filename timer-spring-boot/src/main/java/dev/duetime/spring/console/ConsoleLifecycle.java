package dev.duetime.spring.console;

import dev.duetime.console.ConsoleServlet;
import org.springframework.context.SmartLifecycle;

/**
 * The end of the console's streams when the application stops. It comes before the server waits for open requests,
 * because a stream would keep it waiting. Thread-safe.
 */
final class ConsoleLifecycle implements SmartLifecycle {
    private final ConsoleServlet console;
    private volatile boolean isRunning;

    ConsoleLifecycle(ConsoleServlet console) {
        this.console = console;
    }

    @Override
    public void start() {
        isRunning = true;
    }

    @Override
    public void stop() {
        isRunning = false;
        console.destroy();
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
