package dev.duetime.passage;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The event that a date has passed in a zone. If a zone skips a date, there is no event for it.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed, not always 24 hours
 * @param date the date that has passed
 */
public record DayHasPassed(Instant now, @Nullable Instant previous, Span span, LocalDate date)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public DayHasPassed {
        EventLimits.event(now, previous, span, "date", date);
    }
}
