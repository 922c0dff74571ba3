package dev.duetime.internal;

import java.time.Duration;

/**
 * The scale on which lateness is counted: a millisecond, then steps by the square root of two up to a day. So a number
 * read from it is at most 1.5 times too large.
 */
public final class LatenessScale {
    /** How many steps there are. */
    public static final int STEPS = 54;

    private static final long DAY_MILLIS = 86_400_000;

    private LatenessScale() {}

    /** Returns the step of a lateness. */
    public static int step(Duration lateness) {
        if (lateness.isNegative() || lateness.toMillis() < 1) {
            return 0;
        }
        double millis = Math.min(lateness.toMillis(), DAY_MILLIS);
        return Math.min(STEPS - 1, (int) Math.ceil(2 * Math.log(millis) / Math.log(2)) + 1);
    }

    /** Returns the longest lateness of a step. */
    public static Duration longest(int step) {
        double millis = step == 0 ? 1 : Math.pow(2, (step - 1) / 2.0);
        return Duration.ofMillis(Math.min(DAY_MILLIS, (long) Math.ceil(millis)));
    }
}
