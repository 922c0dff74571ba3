package dev.duetime.engine.limits;

import java.time.Duration;

/** A measure of how fast a node uses the permits of a rate. Guarded by the lock of its queue's permits. */
final class UseMeasure {
    private static final long SHORTEST_NANOS = Duration.ofMillis(100).toNanos();

    private int used;
    private double perNano;
    private double perNanoBefore;
    private long sinceNanos;

    UseMeasure(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /** Counts a permit that was taken, or with -1 one that was given back. */
    void count(int permits) {
        used += permits;
    }

    /** Returns how many permits are used in a nanosecond, and begins to measure anew. */
    double perNano(long nowNanos) {
        long time = nowNanos - sinceNanos;
        if (time >= SHORTEST_NANOS) {
            // Of two measures in a row the higher one counts: a pause between two groups is no lack of demand.
            perNanoBefore = perNano;
            perNano = (double) used / time;
            used = 0;
            sinceNanos = nowNanos;
        }
        return Math.max(perNano, perNanoBefore);
    }

    /** Returns whether nothing was used lately. */
    boolean isNone() {
        return used <= 0 && perNano <= 0 && perNanoBefore <= 0;
    }

    /** Begins to measure then, as if nothing had been used before. */
    void beginAt(long nanos) {
        sinceNanos = nanos;
    }
}
