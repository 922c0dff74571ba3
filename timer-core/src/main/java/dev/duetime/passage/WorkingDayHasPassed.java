package dev.duetime.passage;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The event that a working day has passed in a zone. Weekends, holidays and dates that the zone skips have no such
 * event. But a tick comes at the end of each day, and {@link #previous} is the boundary of the last tick. So it is
 * before {@link #start} only if days were missed.
 *
 * @param now the boundary that was crossed: the end of the working day
 * @param previous the boundary of the tick before, null on the first
 * @param span the date that has passed, not always 24 hours
 * @param date the working day that has passed
 */
public record WorkingDayHasPassed(Instant now, @Nullable Instant previous, Span span, LocalDate date)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it
     */
    public WorkingDayHasPassed {
        EventLimits.event(now, previous, span, "date", date);
    }
}
