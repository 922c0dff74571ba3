package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import java.time.Instant;

/**
 * Instants in microseconds, for comparison with rows. Any instant is legal. One that is out of the column's range
 * becomes its least or greatest value. One between two microseconds is rounded so that the comparison does not change.
 */
public final class MicrosecondBounds {
    /** Rounded to the second, because seconds are converted into microseconds first. */
    private static final long SECOND = 1_000_000;

    private static final Instant LEAST = Micros.ofLong(Long.MIN_VALUE + SECOND);
    private static final Instant GREATEST = Micros.ofLong(Long.MAX_VALUE - SECOND);

    private MicrosecondBounds() {}

    /** Returns the bound for {@code column <= instant}. */
    public static long atMost(Instant instant) {
        return isWithin(instant) ? Micros.toLong(Micros.floor(instant)) : outermost(instant);
    }

    /** Returns the bound for {@code column < instant}, and for {@code column >= instant}. */
    public static long before(Instant instant) {
        return isWithin(instant) ? Micros.toLong(Micros.ceil(instant)) : outermost(instant);
    }

    /** Returns the bound that makes {@code column >= bound} the same as {@code column > instant}. */
    public static long after(Instant instant) {
        return isWithin(instant) ? atMost(instant) + 1 : outermost(instant);
    }

    private static boolean isWithin(Instant instant) {
        return !instant.isBefore(LEAST) && !instant.isAfter(GREATEST);
    }

    private static long outermost(Instant instant) {
        return instant.isBefore(LEAST) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
