package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import java.time.Instant;

/**
 * Turns instants that rows are compared with into microseconds. Any instant is legal: one beyond what the column holds
 * is as far away as it can be, and one between two microseconds is rounded so that the comparison is not changed.
 */
public final class MicrosecondBounds {
    /** To the second, since a count of seconds is turned into microseconds first. */
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
