package dev.duetime.passage;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event that a fixed duration has passed.
 *
 * @param now the boundary that was crossed
 * @param previous the boundary of the event before, null on the first
 * @param span the period that has passed
 * @param length the duration
 */
public record IntervalHasPassed(Instant now, @Nullable Instant previous, Span span, Duration length)
        implements TimeHasPassed {

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if another field than {@code previous} is null, {@code previous} is not before
     *     {@code now}, or the span ends after it or does not have that length
     */
    public IntervalHasPassed {
        EventLimits.event(now, previous, span, "length", length);
        if (!span.length().equals(length)) {
            throw new IllegalArgumentException("length must be that of the span but was %s and the span's was %s"
                    .formatted(length, span.length()));
        }
    }
}
