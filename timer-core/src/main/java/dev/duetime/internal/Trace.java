package dev.duetime.internal;

import org.jspecify.annotations.Nullable;

/**
 * A substitute in the log for an exception that may quote a payload or a stored value. It has the same classes and
 * stack traces, but no messages. Thread-safe.
 */
public final class Trace extends Exception {
    private static final long serialVersionUID = 1L;

    /** The largest number of causes that are shown. It also ends a circle of them. */
    private static final int CAUSES = 10;

    private Trace(String message, StackTraceElement[] places, @Nullable Throwable cause) {
        super(message, cause, false, true);
        setStackTrace(places);
    }

    /** Returns what is logged instead of an exception. */
    public static Trace of(Throwable error) {
        return of(error, error.getClass().getName(), 1);
    }

    /**
     * Returns what is logged instead of an exception whose own message is fit for a log, once it is {@link Printable}.
     */
    public static Trace of(Throwable error, @Nullable String message) {
        return of(error, error.getClass().getName() + ": " + Printable.withoutSecrets(message), 1);
    }

    private static Trace of(Throwable error, String message, int depth) {
        Throwable cause = Errors.cause(error);
        Trace below = cause == null || depth == CAUSES
                ? null
                : of(cause, cause.getClass().getName(), depth + 1);
        return new Trace(message, Errors.trace(error), below);
    }
}
