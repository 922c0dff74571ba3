package dev.duetime;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Says when a failed delivery is tried again, and how often. The delay counts from the failure, never from the due time.
 * Immutable and thread-safe.
 */
public final class RetryPolicy {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int DOUBLINGS = 40;

    private final Duration first;
    private final Duration cap;
    private final int maxAttempts;

    private RetryPolicy(Duration first, Duration cap, int maxAttempts) {
        this.first = first;
        this.cap = cap;
        this.maxAttempts = maxAttempts;
    }

    /**
     * Doubles the delay with each failure, without end, and takes between 75 and 100 % of it by chance, so that what
     * failed together does not come back together.
     *
     * @param first the delay after the first failure, 1 ms to 365 days
     * @param cap the longest delay, {@code first} to 365 days
     * @throws IllegalArgumentException if a delay is out of range
     */
    public static RetryPolicy exponential(Duration first, Duration cap) {
        Limits.duration("first", first, SHORTEST, LONGEST);
        Limits.duration("cap", cap, first, LONGEST);
        return new RetryPolicy(first, cap, Integer.MAX_VALUE);
    }

    /**
     * Returns this policy with an end: a timer whose delivery has failed that often ends as {@link TimerState#DEAD}.
     * Without end by default.
     *
     * @param most at least 1
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public RetryPolicy maxAttempts(int most) {
        return new RetryPolicy(first, cap, Limits.number("maxAttempts", most, 1, Integer.MAX_VALUE));
    }

    /** Returns whether there is no further attempt after this many failed. */
    public boolean isExhausted(int attempts) {
        return attempts >= maxAttempts;
    }

    /** Returns how long to wait after the given number of failed attempts, at least 1. */
    public Duration delay(int attempts, RandomGenerator random) {
        double factor = Math.pow(2, Math.min(attempts - 1, DOUBLINGS));
        double nanos = Math.min((double) first.toNanos() * factor, (double) cap.toNanos());
        return Duration.ofNanos((long) (nanos * (0.75 + 0.25 * random.nextDouble())));
    }
}
