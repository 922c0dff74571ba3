package dev.duetime.passage;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Checks for the fields of events, with the same messages everywhere. */
final class EventLimits {
    private EventLimits() {}

    static void given(String field, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(field + " must not be null");
        }
    }

    static void rising(String earlier, Instant first, String later, Instant second) {
        if (!first.isBefore(second)) {
            throw new IllegalArgumentException(
                    "%s must be before %s but was %s and %s was %s".formatted(earlier, later, first, later, second));
        }
    }

    /** Checks the fields that all events have, and that the name of the period is not null. */
    static void event(Instant now, @Nullable Instant previous, Span span, String field, Object name) {
        given("now", now);
        given("span", span);
        given(field, name);
        if (previous != null) {
            rising("previous", previous, "now", now);
        }
        if (span.end().isAfter(now)) {
            throw new IllegalArgumentException(
                    "end must not be after now but was %s and now was %s".formatted(span.end(), now));
        }
    }

    /** Checks that a local time is the start of the period. */
    static void startsAt(Span span, OffsetDateTime time) {
        if (!time.toInstant().equals(span.start())) {
            throw new IllegalArgumentException(
                    "time must be the instant of start but was %s and start was %s".formatted(time, span.start()));
        }
    }
}
