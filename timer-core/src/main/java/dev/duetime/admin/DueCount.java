package dev.duetime.admin;

import java.time.Instant;

/**
 * How many timers wake in a slot of time. Immutable and thread-safe.
 *
 * @param from the beginning of the slot
 * @param before its end, which belongs to the next slot
 * @param timers how many; an estimate, unless {@code isExact}
 * @param isExact whether all of them were counted
 */
public record DueCount(Instant from, Instant before, long timers, boolean isExact) {}
