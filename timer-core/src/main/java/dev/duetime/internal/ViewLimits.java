package dev.duetime.internal;

import java.time.Duration;
import java.time.Instant;

/** The limits of the reads for operators. */
public final class ViewLimits {
    /** How many occurrences of a timer are shown. */
    public static final int OCCURRENCES = 20;

    private static final int MOST_COUNTED = 50_000;
    private static final int MOST_SLOTS = 60;
    private static final int MOST_SHOWN = 1_000;

    private ViewLimits() {}

    /**
     * Checks the bound of a count.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static void count(int most) {
        Limits.number("most", most, 1, MOST_COUNTED);
    }

    /**
     * Checks the length of a page.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static void page(int limit) {
        Limits.number("limit", limit, 1, MOST_SHOWN);
    }

    /**
     * Checks the slots of a forecast.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public static void forecast(String queue, Instant from, Duration width, int slots) {
        Limits.given("queue", queue);
        Limits.instant("from", from);
        Limits.upToAYear("width", width);
        Limits.number("slots", slots, 1, MOST_SLOTS);
    }
}
