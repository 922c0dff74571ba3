package dev.duetime;

import dev.duetime.internal.Limits;

/**
 * The exception for an envelope whose handler failed, in contrast to a failure on the way to the handler. A {@link
 * Publisher} that is given one envelope throws it. The attempt counts even if nothing else gets through, which would
 * otherwise look like an outage. It may be named in a {@link PartialPublishException}, where any exception counts. The
 * retry policy, the listeners and the timer's row get the cause.
 */
public final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable failure;

    /**
     * Creates the exception.
     *
     * @param failure what the handler threw
     * @throws IllegalArgumentException if {@code failure} is null
     */
    public HandlerException(Throwable failure) {
        super("a handler failed", Limits.given("failure", failure));
        this.failure = failure;
    }

    /** Returns what the handler threw. */
    public Throwable failure() {
        return failure;
    }
}
