package dev.duetime.passage;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The event that an hour of a zone's clock has passed. If the clock repeats an hour, there are two events, with two
 * offsets. If the clock skips an hour, there is none. If the clock jumps into an hour, the hour begins there.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param time what the clock showed when the hour began
 */
public record HourHasPassed(Instant now, @Nullable Instant previous, Span span, OffsetDateTime time)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it or does not start at {@code time}
     */
    public HourHasPassed {
        EventLimits.event(now, previous, span, "time", time);
        EventLimits.startsAt(span, time);
    }
}
