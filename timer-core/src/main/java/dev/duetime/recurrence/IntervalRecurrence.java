package dev.duetime.recurrence;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A recurrence at all multiples of a duration before and after an instant. It does not depend on any zone. Created by
 * {@link Recurrence#every}.
 *
 * @param length the time between two instants
 * @param anchor the first of the instants at or after 1970-01-01T00:00Z, whichever instant was given; the last before
 *     if there is none until the year 9999
 * @param catchUp what happens to missed times
 */
public record IntervalRecurrence(Duration length, Instant anchor, CatchUp catchUp) implements Recurrence {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * Checks the arguments and normalises the anchor.
     *
     * @throws IllegalArgumentException if an argument is null, {@code length} is not between 1 s and 3,650,000 days or
     *     is finer than microseconds, or {@code anchor} is not between year 1 and 9999
     */
    public IntervalRecurrence {
        Limits.duration("length", length, SHORTEST, Limits.LONGEST);
        Limits.instant("anchor", anchor);
        Limits.given("catchUp", catchUp);
        if (!length.equals(length.truncatedTo(ChronoUnit.MICROS))) {
            throw new LimitException("length", "length must be whole microseconds but was " + length);
        }
        Instant first = Micros.ofLong(Math.floorMod(Micros.toLong(Micros.ceil(anchor)), micros(length)));
        anchor = Limits.holds(first) ? first : first.minus(length);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return at(passed(Limits.instant("after", after)) + 1);
    }

    @Override
    public Optional<Instant> latest(Instant notAfter) {
        return at(passed(Limits.instant("notAfter", notAfter)));
    }

    private long passed(Instant time) {
        return Math.floorDiv(Micros.toLong(time) - Micros.toLong(anchor), micros(length));
    }

    private Optional<Instant> at(long multiple) {
        return Optional.of(Micros.ofLong(Micros.toLong(anchor) + multiple * micros(length)))
                .filter(Limits::holds);
    }

    private static long micros(Duration length) {
        return Micros.toLong(Instant.EPOCH.plus(length));
    }

    @Override
    public IntervalRecurrence catchUp(CatchUp other) {
        return new IntervalRecurrence(length, anchor, other);
    }

    /** Returns the text that {@link Recurrence#parse} reads, such as {@code every PT1H anchor=1970-01-01T00:30:00Z}. */
    @Override
    public String toString() {
        return RecurrenceText.of(this);
    }
}
