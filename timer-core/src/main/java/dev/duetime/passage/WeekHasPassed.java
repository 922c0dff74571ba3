package dev.duetime.passage;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The event that a week has passed in a zone.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param firstDate the first of its seven dates
 */
public record WeekHasPassed(Instant now, @Nullable Instant previous, Span span, LocalDate firstDate)
        implements TimeHasPassed {
    private static final int DAYS_TO_LAST = 6;

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public WeekHasPassed {
        EventLimits.event(now, previous, span, "firstDate", firstDate);
    }

    /** Returns the last of its seven dates. */
    public LocalDate lastDate() {
        return firstDate.plusDays(DAYS_TO_LAST);
    }
}
