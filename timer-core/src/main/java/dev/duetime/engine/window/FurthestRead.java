package dev.duetime.engine.window;

import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;

/**
 * How far the reads of parts have come, whatever they left out. Every second read goes on there. Used by one thread.
 */
final class FurthestRead {
    /** Timers that commit so late are found by a read that goes on where another one ended. */
    private static final Duration OVERLAP = Duration.ofSeconds(1);

    /** After so many times as long as they took, the reads begin anew, if no window has come as far. */
    private static final int PART = 4;

    private final long shortestNanos;

    private Instant at = Instant.MIN;
    private boolean goesOnNext;

    /** When the reads began, and when they came to the present, at last by one that continued a window. */
    private long beganNanos;

    private long atPresentNanos;
    private boolean wasAtPresent;

    /** How long it took until then. */
    private long roundNanos;

    /**
     * Creates a view of no reads.
     *
     * @param shortestNanos when reads begin anew at the earliest
     */
    FurthestRead(long shortestNanos) {
        this.shortestNanos = shortestNanos;
    }

    /** Returns how far the reads have come; {@link Instant#MIN} if there were none. */
    Instant at() {
        return at;
    }

    /**
     * Returns whether the next read goes on there, if its window ends before.
     *
     * @param always whether each read does for now
     */
    boolean takeTurn(Instant now, boolean always) {
        if (at.isAfter(now)) {
            // The clock has stepped back.
            at = Instant.MIN;
        }
        goesOnNext = !at.equals(Instant.MIN) && (always || !goesOnNext);
        return goesOnNext;
    }

    /** Notes that timers up to that time are passed over. */
    void passes(Instant to, long nanos) {
        if (at.equals(Instant.MIN)) {
            beganNanos = nanos;
            wasAtPresent = false;
        }
        at = Times.later(at, to);
    }

    /**
     * Notes a read that does not reach to the present.
     *
     * @param to up to when it has returned all timers
     */
    void hasRead(Instant to, Instant now, long nanos) {
        passes(Times.earlier(to, now.minus(OVERLAP)), nanos);
    }

    /**
     * Notes a read up to the present. If windows do not come there for long, because what is left out changes all the
     * time, the reads that go on begin anew, so that they find what they have passed over.
     *
     * @param goesOn whether it was one that goes on, and did not continue a window
     */
    void hasReadToPresent(boolean goesOn, Instant now, long nanos) {
        hasRead(now, now, nanos);
        if (!wasAtPresent) {
            roundNanos = nanos - beganNanos;
        }
        if (!wasAtPresent || !goesOn) {
            atPresentNanos = nanos;
        }
        wasAtPresent = true;
        if (nanos - atPresentNanos >= Math.max(shortestNanos, PART * roundNanos)) {
            forget();
        }
    }

    /** Forgets all reads. */
    void forget() {
        at = Instant.MIN;
    }
}
