package dev.duetime.passage;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The event that a minute of a zone's clock has passed.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param time what the clock showed when the minute began
 */
public record MinuteHasPassed(Instant now, @Nullable Instant previous, Span span, OffsetDateTime time)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it or does not start at {@code time}
     */
    public MinuteHasPassed {
        EventLimits.event(now, previous, span, "time", time);
        EventLimits.startsAt(span, time);
    }
}
