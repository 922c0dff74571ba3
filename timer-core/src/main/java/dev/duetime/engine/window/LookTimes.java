package dev.duetime.engine.window;

import dev.duetime.Clock;
import java.time.Duration;

/**
 * The times of one kind of looks behind a backlog. Their cost may grow with the backlog, so they take a small part of
 * the time, also if they fail. Used by one thread.
 */
public final class LookTimes {
    /** How long to rest after a look that failed, at least: the store may be away. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** The largest part of the time that looks may take while other reads have work. */
    private static final int PART = 20;

    /** The largest part of the time that slow looks may take while other reads have nothing to do. */
    private static final int IDLE_PART = 2;

    private static final Duration IDLE_REST = Duration.ofSeconds(1);

    /** The largest part of the time that looks may take which find nothing, as far as is known. */
    private static final int PART_IN_VAIN = 50;

    private static final Duration REST_IN_VAIN = Duration.ofSeconds(1);

    private final Clock clock;
    private final Duration shortest;
    private long nextAtNanos;
    private long inVainAtNanos;

    /**
     * Creates the times. It is time for the first look.
     *
     * @param shortest how long to rest after a look, at least
     */
    public LookTimes(Clock clock, Duration shortest) {
        this.clock = clock;
        this.shortest = shortest;
        nextAtNanos = clock.nanoTime();
        inVainAtNanos = nextAtNanos;
    }

    /** Returns whether it is time for a look. */
    public boolean isTime() {
        return isTime(false);
    }

    /**
     * Returns whether it is time for a look.
     *
     * @param inVain whether nothing is known to be found by it
     */
    public boolean isTime(boolean inVain) {
        return left(inVain).isZero();
    }

    /** Returns how long it is until the next look. */
    public Duration left() {
        return left(false);
    }

    /**
     * Returns how long it is until the next look.
     *
     * @param inVain whether nothing is known to be found by it
     */
    public Duration left(boolean inVain) {
        long now = clock.nanoTime();
        long left = inVain ? Math.max(nextAtNanos - now, inVainAtNanos - now) : nextAtNanos - now;
        return Duration.ofNanos(Math.max(0, left));
    }

    /**
     * Notes the end of a look.
     *
     * @param beganNanos when it began
     * @param isIdle whether the loop has nothing else to read
     */
    public void ended(long beganNanos, boolean isIdle) {
        long now = clock.nanoTime();
        long took = now - beganNanos;
        long rest = PART * took;
        if (isIdle) {
            rest = Math.min(rest, Math.max(IDLE_REST.toNanos(), IDLE_PART * took));
        }
        nextAtNanos = now + Math.max(shortest.toNanos(), rest);
        inVainAtNanos = now + Math.max(REST_IN_VAIN.toNanos(), PART_IN_VAIN * took);
    }

    /** Notes that a look has failed. */
    public void failed(long beganNanos) {
        ended(beganNanos, false);
        nextAtNanos = Math.max(nextAtNanos, clock.nanoTime() + AFTER_FAILURE.toNanos());
    }
}
