package dev.duetime.jdbc.internal.write;

/** A signal that leaves a transaction without being retried: a timer that should be new has a key that exists. */
final class KeyTaken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeyTaken() {
        super("a key exists", null, false, false);
    }
}
