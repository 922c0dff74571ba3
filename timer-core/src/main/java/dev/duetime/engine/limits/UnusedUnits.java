package dev.duetime.engine.limits;

import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Units of a limit that no timer uses. Those of a rate fill up all the same, at their part of the rate. Immutable.
 *
 * @param count how many there are
 * @param since when they were empty, or would have been if they had filled up since then
 */
record UnusedUnits(int count, Instant since) {
    /** About 190,000 years: what is earlier, a column of microseconds cannot hold. */
    private static final double MOST_MICROS = 6e18;

    private static final double NANOS_EACH_MILLI = 1e6;

    /**
     * Returns units that are partly filled now.
     *
     * @param filled which part of them, 0 to 1
     * @param fillNanos how long empty ones need to fill up
     */
    static UnusedUnits filledTo(double filled, int count, Instant now, double fillNanos) {
        long micros = (long) Math.min(MOST_MICROS, filled * fillNanos / 1_000);
        return new UnusedUnits(count, Micros.ceil(now.minus(micros, ChronoUnit.MICROS)));
    }

    /** Returns which part of each unit is filled, 0 to 1. */
    double filled(Instant now, double fillNanos) {
        if (fillNanos == 0) {
            return 0;
        }
        double nanos = Math.max(0, Duration.between(since, now).toMillis() * NANOS_EACH_MILLI);
        return Math.min(1, nanos / fillNanos);
    }

    /** Returns these and other units. All of them together hold as many permits as before. */
    UnusedUnits and(UnusedUnits others, Instant now, double fillNanos) {
        if (count == 0 || others.count == 0) {
            return others.count == 0 ? this : others;
        }
        int sum = count + others.count;
        double permits = count * filled(now, fillNanos) + others.count * others.filled(now, fillNanos);
        return filledTo(permits / sum, sum, now, fillNanos);
    }

    /** Returns some of these units, each as full as before. */
    UnusedUnits some(int some) {
        return new UnusedUnits(some, since);
    }
}
