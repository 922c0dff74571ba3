package dev.duetime.engine.window;

import dev.duetime.Clock;
import java.time.Duration;

/**
 * The times of reads that look behind a backlog. Their cost grows with the backlog, so they take a small part of the
 * time, also if they fail. Used by one thread.
 */
public final class LookTimes {
    /** How often, at most, to look behind a backlog. */
    private static final Duration LOOK_BEHIND = Duration.ofMillis(100);

    /** How long to rest after a look that failed, at least: the store may be away. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** The largest part of the time that looks may take. */
    private static final int LOOK_PART = 20;

    private final Clock clock;
    private long behindAtNanos;
    private long forTurnAtNanos;
    private long beganNanos;

    /** Creates the times. It is time for each look. */
    public LookTimes(Clock clock) {
        this.clock = clock;
        behindAtNanos = clock.nanoTime();
        forTurnAtNanos = behindAtNanos;
        beganNanos = behindAtNanos;
    }

    /** Notes that a read begins. */
    public void begin() {
        beganNanos = clock.nanoTime();
    }

    /** Returns when the last read began. */
    public long beganNanos() {
        return beganNanos;
    }

    /** Returns whether it is time to look behind the backlog. */
    public boolean mayLookBehind() {
        return clock.nanoTime() - behindAtNanos >= 0;
    }

    /** Returns whether it is time to look for the tenant whose turn it is. */
    public boolean mayLookForTurn() {
        return clock.nanoTime() - forTurnAtNanos >= 0;
    }

    /** Returns how long it is until {@link #mayLookBehind}. */
    public Duration untilLookBehind() {
        return Duration.ofNanos(Math.max(0, behindAtNanos - clock.nanoTime()));
    }

    /**
     * Notes the end of a look, which began with the last read.
     *
     * @param forTurn whether it looked for the tenant whose turn it is
     */
    public void ended(boolean forTurn, boolean hasFailed) {
        long now = clock.nanoTime();
        long rest = LOOK_PART * (now - beganNanos);
        if (hasFailed) {
            rest = Math.max(rest, AFTER_FAILURE.toNanos());
        }
        if (forTurn) {
            forTurnAtNanos = now + rest;
        } else {
            behindAtNanos = now + Math.max(LOOK_BEHIND.toNanos(), rest);
        }
    }
}
