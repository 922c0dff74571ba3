package dev.duetime.engine.limits;

/** The permits of a rate that a node may use now: they fill up evenly. Guarded by the lock of its queue's permits. */
final class Bucket {
    private double permits;
    private long atNanos;

    Bucket(double permits, long atNanos) {
        this.permits = permits;
        this.atNanos = atNanos;
    }

    /** Returns a bucket with the same permits. */
    Bucket copy() {
        return new Bucket(permits, atNanos);
    }

    /**
     * Fills the bucket up to now.
     *
     * @param most how many permits it holds
     * @param nanosEach in how many nanoseconds one is added
     */
    void fill(long nowNanos, int most, double nanosEach) {
        permits = Math.min(most, permits + Math.max(0, nowNanos - atNanos) / nanosEach);
        atNanos = nowNanos;
    }

    /** Adds permits; a negative number takes some. */
    void add(double count) {
        permits += count;
    }

    /** Keeps that many permits at most. */
    void keep(int most) {
        permits = Math.min(permits, most);
    }

    /** Returns how many permits there are, also a part of one. */
    double permits() {
        return permits;
    }

    /** Returns whether there is a whole permit; a rounding error of a nanosecond is none. */
    boolean hasOne() {
        return permits >= 1 - 1e-9;
    }
}
