package dev.duetime.passage;

import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The event that a quarter of a (fiscal) year has passed in a zone.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param quarter the quarter of its year, 1 to 4
 * @param firstMonth the first of its three months
 */
public record QuarterHasPassed(Instant now, @Nullable Instant previous, Span span, int quarter, YearMonth firstMonth)
        implements TimeHasPassed {
    private static final int MONTHS = 3;
    private static final int QUARTERS = 4;

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, the span ends after it, or {@code quarter} is not 1 to 4
     */
    public QuarterHasPassed {
        EventLimits.event(now, previous, span, "firstMonth", firstMonth);
        if (quarter < 1 || quarter > QUARTERS) {
            throw new IllegalArgumentException("quarter must be between 1 and 4 but was " + quarter);
        }
    }

    /**
     * Returns the number of the (fiscal) year, which is the year of its first month: 2026 for April 2026 to March 2027.
     */
    public int year() {
        return firstMonth.minusMonths((quarter - 1L) * MONTHS).getYear();
    }
}
