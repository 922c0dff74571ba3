package dev.duetime.examples.kafka;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** A wait for a broker or a scheduler. */
final class Await {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(5);

    private Await() {}

    /** Returns when the condition holds; fails with the description if it does not within a minute. */
    static void until(String description, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + MOST.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited for a minute without success for: " + description);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
