package dev.duetime;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Recurs when a zone's clock shows what a cron expression says. Made by {@link Recurrence#cron}.
 *
 * <p>The expression has the five fields of UNIX: minute, hour, day of month, month, day of week (0 and 7 are Sunday).
 * If both days are restricted, either is enough. A time that the clock jumps over comes when it jumps. A time that it
 * shows twice comes the first time only; but where the hour is {@code *}, each time.
 *
 * @param expression the five fields, with one space between two
 * @param zone whose clock counts; every zone that is always at UTC is {@code UTC}
 * @param catchUp what becomes of missed times
 */
public record CronRecurrence(String expression, ZoneId zone, CatchUp catchUp) implements Recurrence {
    private static final int HOUR = 1;

    /**
     * Checks all.
     *
     * @throws IllegalArgumentException if one is null, or {@code expression} is longer than 255 characters or no cron
     *     expression of five fields
     * @throws IllegalStateException if cron-utils is not there
     */
    public CronRecurrence {
        Limits.text("expression", expression, Limits.NAME_LENGTH);
        Limits.given("zone", zone);
        Limits.given("catchUp", catchUp);
        expression = expression.strip().replaceAll("\\s+", " ");
        zone = CalendarRules.canonical(zone);
        CronTimes.of(expression);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return times().next(Limits.instant("after", after)).filter(Limits::holds);
    }

    @Override
    public Optional<Instant> latest(Instant notAfter) {
        return times().latest(Limits.instant("notAfter", notAfter)).filter(Limits::holds);
    }

    private ZonedTimes times() {
        return new ZonedTimes(CronTimes.of(expression), zone, expression.split(" ", -1)[HOUR].equals("*"));
    }

    @Override
    public CronRecurrence catchUp(CatchUp other) {
        return new CronRecurrence(expression, zone, other);
    }

    /** Returns the text that {@link Recurrence#parse} reads, such as {@code cron "0 3 * * *" Europe/Berlin}. */
    @Override
    public String toString() {
        return RecurrenceText.of(this);
    }
}
