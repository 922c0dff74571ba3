package dev.duetime.engine.window;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;

/**
 * A read that follows after a rest, because it may return the same timers as the last one. So such reads take a quarter
 * of the time. Used by the loop's thread.
 */
public final class RestedRead {
    private static final int REST = 3;
    private static final long SHORTEST_NANOS = Duration.ofMillis(10).toNanos();

    private final Clock clock;
    private boolean isWanted;
    private long atNanos;

    public RestedRead(Clock clock) {
        this.clock = clock;
    }

    /**
     * Makes the next read follow after a rest.
     *
     * @param tookNanos how long the last one took
     */
    public void after(long tookNanos) {
        isWanted = true;
        atNanos = clock.nanoTime() + Math.max(SHORTEST_NANOS, REST * tookNanos);
    }

    /** Forgets the read: another one comes first. */
    public void forget() {
        isWanted = false;
    }

    /** Returns whether it is time for the read. */
    public boolean isDue() {
        return isWanted && clock.nanoTime() - atNanos >= 0;
    }

    /** Returns when to read; {@link Instant#MAX} if no read is wanted. */
    public Instant next(Instant now) {
        return isWanted ? Micros.ceil(now.plusNanos(Math.max(0, atNanos - clock.nanoTime()))) : Instant.MAX;
    }
}
