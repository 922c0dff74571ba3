package dev.duetime;

import java.util.Collection;

/**
 * Thrown when there is nobody to handle a type of timer. A {@link Publisher} that hands envelopes on by their type may
 * throw it; it is {@linkplain RetryPolicy#noRetryOn never retried} by default, so the timer ends as
 * {@link TimerState#DEAD} at once, with this as the reason, and holds up nobody.
 */
public final class UnknownTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for a type that is none of those that are known. */
    public UnknownTypeException(String type, Collection<String> known) {
        super("type must be one of %s but was %s".formatted(known, Limits.shown(type)));
    }
}
