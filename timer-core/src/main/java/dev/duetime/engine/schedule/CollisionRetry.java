package dev.duetime.engine.schedule;

import dev.duetime.Clock;
import dev.duetime.internal.RetryTurns;
import dev.duetime.store.CollisionException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The retries of a transaction that collided with another one. Between two attempts the caller waits and holds no
 * connection. Attempts begin for 10 s, and none once the caller is interrupted. If the clock stands still, as in tests,
 * no other thread can end the collision meanwhile: then it does not wait, and gives up after 10 attempts. Used by one
 * thread.
 */
public final class CollisionRetry implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int ATTEMPTS_WITHOUT_TIME = 10;
    private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGER_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final Clock clock;
    private final RetryTurns.Call call;
    private final long beganNanos;
    private int attempts;
    private boolean standsStill;

    /**
     * Begins with the first attempt.
     *
     * @param turns the order in which this and other transactions try again
     */
    public CollisionRetry(Clock clock, RetryTurns turns) {
        this.clock = clock;
        call = turns.call("a transaction");
        beganNanos = clock.nanoTime();
    }

    /**
     * Waits for the next attempt.
     *
     * @throws CollisionException the given one, if there is no other attempt
     */
    public void after(CollisionException collision) {
        call.endTry();
        attempts++;
        if (!mayTry()) {
            throw collision;
        }
        if (!standsStill) {
            long began = clock.nanoTime();
            long longest = Math.min(LONGEST_PAUSE_NANOS, attempts * LONGER_NANOS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_NANOS, longest));
            standsStill = clock.nanoTime() == began;
        }
        if (!mayTry() || !awaitTurn()) {
            throw collision;
        }
    }

    private boolean mayTry() {
        return !Thread.currentThread().isInterrupted()
                && (standsStill ? attempts < ATTEMPTS_WITHOUT_TIME : nanosLeft() > 0);
    }

    private long nanosLeft() {
        return beganNanos + LONGEST.toNanos() - clock.nanoTime();
    }

    private boolean awaitTurn() {
        try {
            return call.await(standsStill ? LONGEST.toNanos() : nanosLeft());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        call.close();
    }
}
