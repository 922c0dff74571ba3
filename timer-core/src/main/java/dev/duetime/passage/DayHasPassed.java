package dev.duetime.passage;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Says that a date has passed in a zone. A date that the zone leaves out is not told.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary told before, null on the first
 * @param span the period that has passed, not always 24 hours
 * @param date the date that has passed
 */
public record DayHasPassed(Instant now, @Nullable Instant previous, Span span, LocalDate date)
        implements TimeHasPassed {

    /**
     * Checks all.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public DayHasPassed {
        EventLimits.event(now, previous, span, "date", date);
    }
}
