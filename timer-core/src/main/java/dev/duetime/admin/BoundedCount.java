package dev.duetime.admin;

/**
 * A count that stops early. Immutable and thread-safe.
 *
 * @param timers how many were counted
 * @param isExact whether these are all; else there may be more
 */
public record BoundedCount(long timers, boolean isExact) {

    /** Returns the sum of two counts. */
    public BoundedCount plus(BoundedCount other) {
        return new BoundedCount(timers + other.timers, isExact && other.isExact);
    }
}
