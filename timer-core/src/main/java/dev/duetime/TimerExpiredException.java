package dev.duetime;

import dev.duetime.internal.Limits;
import java.time.Instant;

/**
 * The exception of {@code schedule} for a timer whose deadline has passed: {@code now > expiresAt}, by the scheduler's
 * clock. Nothing was written. The same call will be refused again.
 */
public final class TimerExpiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient TimerKey key;
    private final String type;
    private final Instant expiresAt;

    /**
     * Creates the exception for a timer, its type, and the deadline that has passed. A user's test needs it where a
     * stand-in for a scheduler refuses a timer.
     */
    public TimerExpiredException(TimerKey key, String type, Instant expiresAt) {
        super("timer %s of type %s was not scheduled: its deadline %s has passed"
                .formatted(key, Limits.shown(type), expiresAt));
        this.key = key;
        this.type = type;
        this.expiresAt = expiresAt;
    }

    /** Returns which timer was refused. */
    public TimerKey key() {
        return key;
    }

    /** Returns the user's name for this kind of timer. */
    public String type() {
        return type;
    }

    /** Returns the deadline: as the timer said, or as it follows from its type, its queue or the scheduler. */
    public Instant expiresAt() {
        return expiresAt;
    }
}
