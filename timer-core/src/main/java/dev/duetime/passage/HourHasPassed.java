package dev.duetime.passage;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Says that an hour of a zone's clock has passed. An hour that the clock repeats is told twice, with two offsets; one that
 * it leaves out is not told; one that it lands in begins there.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary told before, null on the first
 * @param span the period that has passed
 * @param time what the clock showed when it began
 */
public record HourHasPassed(Instant now, @Nullable Instant previous, Span span, OffsetDateTime time)
        implements TimeHasPassed {

    /**
     * Checks all.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, the span ends after it, or does not start at {@code time}
     */
    public HourHasPassed {
        EventLimits.event(now, previous, span, "time", time);
        EventLimits.startsAt(span, time);
    }
}
