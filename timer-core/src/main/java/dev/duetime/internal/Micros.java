package dev.duetime.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time in whole microseconds, the finest that all databases hold. Due times are rounded up and deadlines down:
 * for a clock that ticks in microseconds neither {@code dueAt <= now} nor {@code now > expiresAt} changes by it.
 * Thread-safe.
 */
public final class Micros {
    private static final long PER_SECOND = 1_000_000;
    private static final int NANOS = 1_000;

    private Micros() {}

    /** Returns the instant, rounded down to a whole microsecond. */
    public static Instant floor(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns the instant, rounded up to a whole microsecond. */
    public static Instant ceil(Instant instant) {
        Instant floor = floor(instant);
        return floor.equals(instant) ? floor : floor.plusNanos(NANOS);
    }

    /**
     * Returns the microseconds since 1970-01-01T00:00Z, negative before.
     *
     * @throws ArithmeticException if the instant is some 290,000 years or more away
     */
    public static long toLong(Instant instant) {
        long seconds = instant.getEpochSecond();
        long micros = instant.getNano() / NANOS;
        // From the side of zero, so that the least number of all, which is no whole second, comes back as it was.
        return seconds < 0
                ? Math.addExact(Math.multiplyExact(seconds + 1, PER_SECOND), micros - PER_SECOND)
                : Math.addExact(Math.multiplyExact(seconds, PER_SECOND), micros);
    }

    /** Returns the instant that {@link #toLong} gave. */
    public static Instant ofLong(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * (long) NANOS);
    }
}
