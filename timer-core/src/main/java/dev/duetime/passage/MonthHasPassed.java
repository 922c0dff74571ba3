package dev.duetime.passage;

import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The event that a month has passed in a zone.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param month the month that has passed
 */
public record MonthHasPassed(Instant now, @Nullable Instant previous, Span span, YearMonth month)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public MonthHasPassed {
        EventLimits.event(now, previous, span, "month", month);
    }
}
