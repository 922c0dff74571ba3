package dev.duetime.spring;

/** A flag that the scheduler is about to close, so that handlers begin with no further timer. Thread-safe. */
final class ClosingFlag {
    private volatile boolean closing;

    void raise() {
        closing = true;
    }

    boolean isRaised() {
        return closing;
    }
}
