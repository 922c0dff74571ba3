package dev.duetime.passage;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A period of time that includes its start and excludes its end. Immutable and thread-safe.
 *
 * @param start the first instant in it
 * @param end the first instant after it
 * @param zone the zone whose clock counted it
 */
public record Span(Instant start, Instant end, ZoneId zone) {

    /**
     * Checks that the period is not empty.
     *
     * @throws IllegalArgumentException if an argument is null, or {@code end} is not after {@code start}
     */
    public Span {
        EventLimits.given("start", start);
        EventLimits.given("end", end);
        EventLimits.given("zone", zone);
        EventLimits.rising("start", start, "end", end);
    }

    /** Returns whether an instant is in the period. */
    public boolean contains(Instant time) {
        return !time.isBefore(start) && time.isBefore(end);
    }

    /** Returns the length of the period. A day has 23 to 25 hours in zones whose clocks change by an hour. */
    public Duration length() {
        return Duration.between(start, end);
    }
}
