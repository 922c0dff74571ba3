package dev.duetime.engine.time;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The times of turns that a clock of tests has left out. Such a clock counts whole microseconds, so each turn comes at
 * the first microsecond that is not before its time.
 */
public final class LeftOutTurns {
    /**
     * Later than any timer is due, and before {@link Instant#MAX}, which would say that nothing that is written
     * matters.
     */
    public static final Instant FAR = Instant.parse("+99999-01-01T00:00:00Z");

    private static final long MICRO = 1_000;

    private LeftOutTurns() {}

    /**
     * Returns the count of nanoseconds at the last turn before now, or {@link Long#MIN_VALUE} if there was none.
     *
     * @param firstNanos when the first one was to be
     * @param every from one turn to when the next one is to be
     */
    public static long last(long firstNanos, Duration every, Clock clock) {
        long before = clock.nanoTime() - 1;
        long first = ceil(firstNanos);
        return first > before ? Long.MIN_VALUE : before - (before - first) % ceil(every.toNanos());
    }

    /** Returns the time that it was when the clock counted so many nanoseconds. */
    public static Instant at(long nanos, Clock clock) {
        return clock.now().minusNanos(clock.nanoTime() - nanos);
    }

    private static long ceil(long nanos) {
        return -Math.floorDiv(-nanos, MICRO) * MICRO;
    }
}
