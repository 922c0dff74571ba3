package dev.duetime;

import dev.duetime.internal.Limits;
import java.time.Duration;

/**
 * A limit on how many timers begin in a time, on all nodes together: {@code RateLimit.perSecond(50).burst(100)}. It is
 * a token bucket: in any time t at most {@code permits * t / period + burst} begin. Immutable; thread-safe.
 *
 * @param permits how many begin in each period, 1 to 1,000,000
 * @param period 1 ms to 365 days
 * @param burst how many may begin at once after a quiet time, 1 to 1,000,000; as many as {@code permits} by default
 */
public record RateLimit(int permits, Duration period, int burst) {
    private static final int MOST = 1_000_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of them is null or out of range
     */
    public RateLimit {
        Limits.number("permits", permits, 1, MOST);
        Limits.upToAYear("period", period);
        Limits.number("burst", burst, 1, MOST);
    }

    /**
     * Returns a limit for any period.
     *
     * @throws IllegalArgumentException if a value is null or out of range
     */
    public static RateLimit of(int permits, Duration period) {
        return new RateLimit(permits, period, permits);
    }

    /**
     * Returns a limit for each second.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static RateLimit perSecond(int permits) {
        return of(permits, Duration.ofSeconds(1));
    }

    /**
     * Returns a limit for each minute.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static RateLimit perMinute(int permits) {
        return of(permits, Duration.ofMinutes(1));
    }

    /**
     * Returns a limit for each hour.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static RateLimit perHour(int permits) {
        return of(permits, Duration.ofHours(1));
    }

    /**
     * Returns this limit with another burst.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public RateLimit burst(int burst) {
        return new RateLimit(permits, period, burst);
    }
}
