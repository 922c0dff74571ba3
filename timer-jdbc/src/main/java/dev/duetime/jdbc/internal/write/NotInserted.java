package dev.duetime.jdbc.internal.write;

/**
 * A signal that leaves a transaction without being retried: not all timers that should be new were inserted. A key
 * exists, or a trigger has left out a timer.
 */
final class NotInserted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotInserted() {
        super("not all timers were inserted", null, true, false);
    }
}
