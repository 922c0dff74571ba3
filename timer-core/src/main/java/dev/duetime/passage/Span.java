package dev.duetime.passage;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * Is a stretch of time, from its start up to, not including, its end. Immutable and thread-safe.
 *
 * @param start the first instant in it
 * @param end the first instant after it
 * @param zone by whose clock it was counted
 */
public record Span(Instant start, Instant end, ZoneId zone) {

    /**
     * Checks that it is not empty.
     *
     * @throws IllegalArgumentException if one is null, or {@code end} is not after {@code start}
     */
    public Span {
        EventLimits.given("start", start);
        EventLimits.given("end", end);
        EventLimits.given("zone", zone);
        EventLimits.rising("start", start, "end", end);
    }

    /** Returns whether an instant lies in it. */
    public boolean contains(Instant time) {
        return !time.isBefore(start) && time.isBefore(end);
    }

    /** Returns how long it is; a day is 23 to 25 hours in zones that change their clocks by one. */
    public Duration length() {
        return Duration.between(start, end);
    }
}
