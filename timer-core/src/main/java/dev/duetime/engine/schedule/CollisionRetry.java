package dev.duetime.engine.schedule;

import dev.duetime.Clock;
import dev.duetime.store.CollisionException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The retries of a transaction that collided with another one. Between two attempts the caller waits and holds no
 * connection. There are up to 200 attempts, which takes some 10 s, and none once the caller is interrupted. If the
 * clock stands still, as in tests, no other thread can end the collision meanwhile: then it does not wait, and gives up
 * after 10 attempts. Used by one thread.
 */
public final class CollisionRetry {
    private static final int ATTEMPTS = 200;
    private static final int ATTEMPTS_WITHOUT_TIME = 10;
    private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGER_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMillis(100).toNanos();

    private final Clock clock;
    private int attempts;
    private boolean standsStill;

    public CollisionRetry(Clock clock) {
        this.clock = clock;
    }

    /**
     * Waits for the next attempt.
     *
     * @throws CollisionException the given one, if there is no other attempt
     */
    public void after(CollisionException collision) {
        attempts++;
        int most = standsStill ? ATTEMPTS_WITHOUT_TIME : ATTEMPTS;
        if (attempts < most && !standsStill && !Thread.currentThread().isInterrupted()) {
            long began = clock.nanoTime();
            long longest = Math.min(LONGEST_NANOS, attempts * LONGER_NANOS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_NANOS, longest));
            standsStill = clock.nanoTime() == began;
        }
        if (attempts >= most || Thread.currentThread().isInterrupted()) {
            throw collision;
        }
    }
}
