package dev.duetime.recurrence;

import dev.duetime.internal.Limits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * Recurs when a zone's clock shows what a cron expression says. Made by {@link Recurrence#cron}.
 *
 * <p>The expression has the five fields of UNIX: minute, hour, day of month, month, day of week (0 and 7 are Sunday). If
 * both days are restricted, and a step such as {@code *}{@code /2} restricts too, either is enough. A time that the clock
 * jumps over comes when it jumps. A time that it shows twice comes the first time only; but where the hour is {@code *},
 * each time.
 *
 * <p>Immutable, thread-safe, and equal iff expression, zone and {@link #catchUp} are.
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

    /** Returns the five fields, with one space between two. */
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
        return new CronRecurrence(expression, zone, other);
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
