package dev.duetime;

import java.time.Duration;

/**
 * A function that says how long to wait before a failed delivery is retried; see {@link RetryPolicy#custom}. Must be
 * thread-safe.
 */
@FunctionalInterface
public interface RetryDelay {

    /**
     * Returns the delay, counted from the failure.
     *
     * @param attempts how many have failed, from 1
     * @param error why the last one failed
     */
    Duration after(int attempts, Throwable error);
}
