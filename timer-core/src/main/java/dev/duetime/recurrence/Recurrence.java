package dev.duetime.recurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Says at which instants something recurs, and what becomes of those that are missed. Immutable, thread-safe, and equal to
 * what recurs alike; its text form reads back.
 *
 * <pre>{@code
 * Recurrence.every(Duration.ofMinutes(10))
 * Recurrence.each(CalendarUnit.DAY, ZoneId.of("Europe/Berlin"))
 * Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Berlin")).catchUp(CatchUp.ALL)
 * }</pre>
 */
public sealed interface Recurrence permits CalendarRecurrence, CronRecurrence, IntervalRecurrence {

    /**
     * Recurs at all multiples of a duration since 1970-01-01T00:00Z, whatever clocks show. Missed ones come by
     * {@link CatchUp#LATEST}.
     *
     * @param length 1 s to 3,650,000 days, in whole microseconds
     * @throws IllegalArgumentException if {@code length} is null, out of range or finer than microseconds
     */
    static IntervalRecurrence every(Duration length) {
        return every(length, Instant.EPOCH);
    }

    /**
     * Recurs at all multiples of a duration before and after an instant; otherwise as {@link #every(Duration)}.
     *
     * @param anchor between year 1 and 9999; rounded up to whole microseconds
     * @throws IllegalArgumentException as {@link #every(Duration)}, or if {@code anchor} is null or out of range
     */
    static IntervalRecurrence every(Duration length, Instant anchor) {
        return new IntervalRecurrence(length, anchor, CatchUp.LATEST);
    }

    /**
     * Recurs where periods of UTC end, with weeks from Monday and years from January. Missed ones come by
     * {@link CatchUp#LATEST}.
     *
     * @throws IllegalArgumentException if {@code unit} is null
     */
    static CalendarRecurrence each(CalendarUnit unit) {
        return each(unit, CalendarRules.UTC);
    }

    /**
     * Recurs where periods of a zone end; otherwise as {@link #each(CalendarUnit)}.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    static CalendarRecurrence each(CalendarUnit unit, ZoneId zone) {
        return each(unit, CalendarRules.in(zone));
    }

    /**
     * Recurs where periods of a calendar end. Missed ones come by {@link CatchUp#LATEST}.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    static CalendarRecurrence each(CalendarUnit unit, CalendarRules rules) {
        return new CalendarRecurrence(unit, rules, CatchUp.LATEST);
    }

    /**
     * Recurs when a zone's clock shows what a cron expression says; see {@link CronRecurrence}. Missed times come by
     * {@link CatchUp#LATEST}. Needs {@code com.cronutils:cron-utils}.
     *
     * @param expression the five fields of UNIX: minute, hour, day of month, month, day of week
     * @throws IllegalArgumentException if an argument is null, {@code expression} is longer than 255 characters or not such
     *     an expression, or cron-utils is not there
     */
    static CronRecurrence cron(String expression, ZoneId zone) {
        return new CronRecurrence(expression, zone, CatchUp.LATEST);
    }

    /**
     * Reads the text form back: {@code every PT10M}, {@code week Europe/Berlin first=SUNDAY catchUp=ALL}.
     *
     * @throws IllegalArgumentException if it is null or no such text, names a zone that this JVM does not know, or is a cron
     *     expression and cron-utils is not there; never anything else
     */
    static Recurrence parse(String text) {
        return RecurrenceText.parse(text);
    }

    /**
     * Returns the first instant after another, strictly; empty if none comes before the year 10000.
     *
     * @throws IllegalArgumentException if {@code after} is null, or not between year 1 and 9999
     */
    Optional<Instant> next(Instant after);

    /**
     * Returns the last instant at or before another; empty if there is none since year 1.
     *
     * @throws IllegalArgumentException if {@code notAfter} is null, or not between year 1 and 9999
     */
    Optional<Instant> latest(Instant notAfter);

    /** Returns what becomes of missed instants. */
    CatchUp catchUp();

    /**
     * Returns this recurrence with another rule for missed instants.
     *
     * @throws IllegalArgumentException if {@code other} is null
     */
    Recurrence catchUp(CatchUp other);

    /** Returns the text that {@link #parse} reads: the same for what is equal, and at most 1000 characters. */
    @Override
    String toString();
}
