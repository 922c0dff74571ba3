package dev.duetime.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** A retry policy as the engine asks it. Thread-safe. */
public interface RetryRule {
    /** Returns whether there is no further attempt after this many failed. */
    boolean isExhausted(int attempts);

    /** Returns whether such an error is never retried. */
    boolean isHopeless(Throwable error);

    /**
     * Returns how long to wait before the next attempt.
     *
     * @param attempts how many have failed, at least 1
     * @param error why the last one failed
     */
    Duration delay(int attempts, Throwable error, RandomGenerator random);
}
