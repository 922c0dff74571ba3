package dev.duetime.engine.limits;

/**
 * How many timers want permits of a limit: the most that a pass found in the last second, or in the one before. Passes
 * ask timers that are refused about once a second. Guarded by the lock of its queue's permits.
 */
final class Wants {
    private long windowNanos;
    private int countNow;
    private int most;
    private int mostBefore;

    /** Whether the window has begun. */
    private boolean hasBegun;

    /** Counts a timer of this pass. */
    void add(long nowNanos) {
        if (!hasBegun || nowNanos - windowNanos >= Refusals.LASTING_NANOS) {
            mostBefore = hasBegun && nowNanos - windowNanos < 2 * Refusals.LASTING_NANOS ? most : 0;
            most = 0;
            windowNanos = nowNanos;
            hasBegun = true;
        }
        countNow++;
        most = Math.max(most, countNow);
    }

    void beginPass() {
        countNow = 0;
    }

    /** Returns how many this pass has counted up to now. */
    int countNow() {
        return countNow;
    }

    /** Returns how many a pass counted at most lately. Later the timers may have gone to another node, or ended. */
    int lately(long nowNanos) {
        long age = nowNanos - windowNanos;
        return !hasBegun || age >= 2 * Refusals.LASTING_NANOS
                ? 0
                : age >= Refusals.LASTING_NANOS ? most : Math.max(most, mostBefore);
    }
}
