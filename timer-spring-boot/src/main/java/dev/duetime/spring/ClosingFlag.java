package dev.duetime.spring;

/** A flag that the scheduler is about to close. Once it is raised, handlers get no more timers. Thread-safe. */
final class ClosingFlag {
    private volatile boolean closing;

    void raise() {
        closing = true;
    }

    boolean isRaised() {
        return closing;
    }
}
