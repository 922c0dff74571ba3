package dev.duetime;

import dev.duetime.internal.Limits;
import java.time.Duration;

/**
 * The exception that says "not now" for one envelope. A {@link Publisher} that is given one envelope throws it, or
 * names it in a {@link PartialPublishException}. The timer is delivered again after a delay. No attempt is counted, and
 * the exception is no sign of an outage.
 */
public final class PostponedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Duration delay;

    /**
     * Creates the exception.
     *
     * @param delay from now, 1 ms to 365 days
     * @throws IllegalArgumentException if {@code delay} is null or out of range
     */
    public PostponedException(Duration delay) {
        super("postponed by " + delay);
        this.delay = Limits.duration("delay", delay, SHORTEST, LONGEST);
    }

    /** Returns how long the timer waits. */
    public Duration delay() {
        return delay;
    }
}
