package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.engine.time.LeftOutTurns;
import java.time.Duration;

/** The time of a task that runs at once and then once a minute. Used by one thread. */
final class EachMinute {
    static final Duration EVERY = Duration.ofMinutes(1);

    private final Clock clock;
    private long nextNanos;

    EachMinute(Clock clock) {
        this.clock = clock;
        nextNanos = clock.nanoTime();
    }

    /** Returns the nanosecond count at which it runs next. */
    long nextNanos() {
        return nextNanos;
    }

    boolean isDue() {
        return clock.nanoTime() - nextNanos >= 0;
    }

    /** Notes that it has run, or is left alone for a minute. */
    void done(long nowNanos) {
        nextNanos = nowNanos + EVERY.toNanos();
    }

    /** Sets the time as if it had run in the turns that were left out. */
    void leftOut() {
        long last = LeftOutTurns.last(nextNanos, EVERY, clock);
        nextNanos = last == Long.MIN_VALUE ? nextNanos : last + EVERY.toNanos();
    }
}
