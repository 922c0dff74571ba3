package dev.duetime.passage;

import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The event that a (fiscal) year has passed in a zone.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param firstMonth the first of its twelve months
 */
public record YearHasPassed(Instant now, @Nullable Instant previous, Span span, YearMonth firstMonth)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public YearHasPassed {
        EventLimits.event(now, previous, span, "firstMonth", firstMonth);
    }

    /** Returns the year of its first month: 2026 for April 2026 to March 2027. */
    public int year() {
        return firstMonth.getYear();
    }
}
