package dev.duetime.recurrence;

import dev.duetime.internal.Limits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * A recurrence at the local times that a cron expression names. Created by {@link Recurrence#cron}.
 *
 * <p>The expression has the five fields of UNIX: minute, hour, day of month, month, day of week (0 and 7 are Sunday).
 * If both day fields are restricted, one of them must match; a step such as {@code *}{@code /2} counts as restricted,
 * and {@code *}{@code /1} is the same as {@code *}. A time that the clock skips comes when the clock jumps. A time that
 * the clock shows twice comes the first time only; if the hour is {@code *}, it comes each time.
 *
 * <p>Immutable and thread-safe. Two are equal iff their expression, zone and {@link #catchUp} are equal.
 */
public final class CronRecurrence implements Recurrence {
    private static final int HOUR = 1;

    private final String expression;
    private final ZoneId zone;
    private final CatchUp catchUp;
    private final ZonedTimes times;

    CronRecurrence(String expression, ZoneId zone, CatchUp catchUp) {
        Limits.text("expression", expression, Limits.NAME_LENGTH);
        this.expression = expression.strip().replaceAll("\\s+", " ");
        this.zone = CalendarRules.canonical(Limits.given("zone", zone));
        this.catchUp = Limits.given("catchUp", catchUp);
        LocalTimes local = CronTimes.of(this.expression);
        this.times = new ZonedTimes(local, this.zone, this.expression.split(" ", -1)[HOUR].equals("*"));
    }

    private CronRecurrence(CronRecurrence other, CatchUp catchUp) {
        expression = other.expression;
        zone = other.zone;
        this.catchUp = Limits.given("catchUp", catchUp);
        times = other.times;
    }

    /** Returns the five fields, separated by one space. */
    public String expression() {
        return expression;
    }

    /** Returns the zone whose clock counts; every zone that is always at UTC is {@code UTC}. */
    public ZoneId zone() {
        return zone;
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return times.next(Limits.instant("after", after)).filter(Limits::holds);
    }

    @Override
    public Optional<Instant> latest(Instant notAfter) {
        return times.latest(Limits.instant("notAfter", notAfter)).filter(Limits::holds);
    }

    @Override
    public CatchUp catchUp() {
        return catchUp;
    }

    @Override
    public CronRecurrence catchUp(CatchUp other) {
        return new CronRecurrence(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronRecurrence that
                && expression.equals(that.expression)
                && zone.equals(that.zone)
                && catchUp == that.catchUp;
    }

    @Override
    public int hashCode() {
        return Objects.hash(expression, zone, catchUp);
    }

    /** Returns the text that {@link Recurrence#parse} reads, such as {@code cron "0 3 * * *" Europe/Berlin}. */
    @Override
    public String toString() {
        return RecurrenceText.of(this);
    }
}
