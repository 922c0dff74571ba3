package dev.duetime.engine.time;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The times of turns that the clock of a test has skipped. Such a clock counts whole microseconds, so each turn is at
 * the first microsecond that is not before its time.
 */
public final class LeftOutTurns {
    /**
     * A time later than any due time, and before {@link Instant#MAX}. That one would mean that no write of another node
     * matters.
     */
    public static final Instant FAR = Instant.parse("+99999-01-01T00:00:00Z");

    private static final long MICRO = 1_000;

    private LeftOutTurns() {}

    /**
     * Returns the nanosecond count of the last turn before now; {@link Long#MIN_VALUE} if there was none.
     *
     * @param firstNanos the count at which the first turn is due
     * @param every the time between two turns
     */
    public static long last(long firstNanos, Duration every, Clock clock) {
        long before = clock.nanoTime() - 1;
        long first = ceil(firstNanos);
        return first > before ? Long.MIN_VALUE : before - (before - first) % ceil(every.toNanos());
    }

    /** Returns the time at which the clock had this nanosecond count. */
    public static Instant at(long nanos, Clock clock) {
        return clock.now().minusNanos(clock.nanoTime() - nanos);
    }

    private static long ceil(long nanos) {
        return -Math.floorDiv(-nanos, MICRO) * MICRO;
    }
}
