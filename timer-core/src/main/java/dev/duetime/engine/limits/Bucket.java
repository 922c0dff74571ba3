package dev.duetime.engine.limits;

/**
 * The permits of a rate that a node may use now: they fill up evenly. A permit that was taken early, for a delivery
 * that has not begun, keeps its place: it fills up again only from the beginning of the delivery on. Guarded by the
 * lock of its queue's permits.
 */
final class Bucket {
    private double permits;
    private int reserved;

    /** How many reserved permits were counted since {@link #beginCount}. */
    private int counted;

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
     * @param most how many permits it holds, including the reserved ones
     * @param nanosEach in how many nanoseconds one is added
     */
    void fill(long nowNanos, int most, double nanosEach) {
        permits = Math.min(most - reserved, permits + Math.max(0, nowNanos - atNanos) / nanosEach);
        atNanos = nowNanos;
    }

    /** Adds permits; a negative number removes some. */
    void add(double count) {
        permits += count;
    }

    /** Takes a permit for a delivery that has not begun. */
    void reserve() {
        permits--;
        reserved++;
    }

    /** Uses a reserved permit: the delivery begins. */
    void use() {
        reserved--;
    }

    /** Takes back a reserved permit: the delivery will not begin. */
    void release() {
        reserved--;
        permits++;
    }

    void beginCount() {
        counted = 0;
    }

    /** Counts a reserved permit whose timer is known. */
    void count() {
        counted++;
    }

    /** Takes back the reserved permits that were not counted. */
    void endCount() {
        permits += reserved - counted;
        reserved = counted;
    }

    /** Returns how many permits are reserved. */
    int reserved() {
        return reserved;
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
