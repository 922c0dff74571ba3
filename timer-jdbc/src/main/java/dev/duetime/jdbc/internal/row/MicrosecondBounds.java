package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import java.time.Instant;

/**
 * Instants in microseconds, for comparison with rows. Any instant is legal. One that is out of the column's range
 * becomes the nearest bound. One between two microseconds is rounded so that the comparison does not change.
 */
public final class MicrosecondBounds {
    /** Rounded to the second, because seconds are converted into microseconds first. */
    private static final long SECOND = 1_000_000;

    private static final Instant LEAST = Micros.ofLong(Long.MIN_VALUE + SECOND);
    private static final Instant GREATEST = Micros.ofLong(Long.MAX_VALUE - SECOND);

    private MicrosecondBounds() {}

    /** Returns the bound for {@code column <= instant}. */
    public static long atMost(Instant instant) {
        return Micros.toLong(Micros.floor(within(instant)));
    }

    /** Returns the bound for {@code column < instant}, and for {@code column >= instant}. */
    public static long before(Instant instant) {
        return Micros.toLong(Micros.ceil(within(instant)));
    }

    private static Instant within(Instant instant) {
        if (instant.isBefore(LEAST)) {
            return LEAST;
        }
        return instant.isAfter(GREATEST) ? GREATEST : instant;
    }
}
