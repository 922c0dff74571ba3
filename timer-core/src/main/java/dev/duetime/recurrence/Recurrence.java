package dev.duetime.recurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A rule for the instants at which something recurs, and for instants that are missed. Immutable and thread-safe. Rules
 * with equal instants and equal {@link #catchUp} are equal. {@link #parse} reads the text of {@link #toString}.
 *
 * <pre>{@code
 * Recurrence.every(Duration.ofMinutes(10))
 * Recurrence.each(CalendarUnit.DAY, ZoneId.of("Europe/Berlin"))
 * Recurrence.daily(LocalTime.of(8, 0), ZoneId.of("Europe/Berlin"))
 * Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Berlin")).catchUp(CatchUp.ALL)
 * }</pre>
 */
public sealed interface Recurrence permits CalendarRecurrence, CronRecurrence, IntervalRecurrence {

    /**
     * Returns a recurrence at all multiples of a duration since 1970-01-01T00:00Z, independent of any zone. The default
     * for missed instants is {@link CatchUp#LATEST}.
     *
     * @param length 1 s to 3,650,000 days, in whole microseconds
     * @throws IllegalArgumentException if {@code length} is null, out of range or finer than microseconds
     */
    static IntervalRecurrence every(Duration length) {
        return every(length, Instant.EPOCH);
    }

    /**
     * Returns a recurrence at all multiples of a duration before and after an instant; otherwise like {@link
     * #every(Duration)}.
     *
     * @param anchor between year 1 and 9999; rounded up to whole microseconds
     * @throws IllegalArgumentException like {@link #every(Duration)}, or if {@code anchor} is null or out of range
     */
    static IntervalRecurrence every(Duration length, Instant anchor) {
        return new IntervalRecurrence(length, anchor, CatchUp.LATEST);
    }

    /**
     * Returns a recurrence at the boundaries of periods in UTC, with weeks from Monday and years from January. The
     * default for missed instants is {@link CatchUp#LATEST}.
     *
     * @throws IllegalArgumentException if {@code unit} is null
     */
    static CalendarRecurrence each(CalendarUnit unit) {
        return each(unit, CalendarRules.UTC);
    }

    /**
     * Returns a recurrence at the boundaries of periods in a zone; otherwise like {@link #each(CalendarUnit)}.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    static CalendarRecurrence each(CalendarUnit unit, ZoneId zone) {
        return each(unit, CalendarRules.in(zone));
    }

    /**
     * Returns a recurrence at the boundaries of periods of a calendar. The default for missed instants is {@link
     * CatchUp#LATEST}.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    static CalendarRecurrence each(CalendarUnit unit, CalendarRules rules) {
        return new CalendarRecurrence(unit, rules, CatchUp.LATEST);
    }

    /**
     * Returns a recurrence every day at a local time: that of the cron expression {@code minute hour * * *}. It does
     * not need cron-utils. The default for missed instants is {@link CatchUp#LATEST}.
     *
     * @param time in whole minutes
     * @throws IllegalArgumentException if an argument is null, or {@code time} has seconds
     */
    static CronRecurrence daily(LocalTime time, ZoneId zone) {
        return new CronRecurrence(DailyTimes.expression(time), zone, CatchUp.LATEST);
    }

    /**
     * Returns a recurrence at the local times of a cron expression; see {@link CronRecurrence}. The default for missed
     * instants is {@link CatchUp#LATEST}. Needs {@code com.cronutils:cron-utils}, except for one time each
     * day such as {@code 0 8 * * *}.
     *
     * @param expression the five fields of UNIX: minute, hour, day of month, month, day of week
     * @throws IllegalArgumentException if an argument is null, {@code expression} is longer than 255 characters or
     *     malformed, or cron-utils is missing
     */
    static CronRecurrence cron(String expression, ZoneId zone) {
        return new CronRecurrence(expression, zone, CatchUp.LATEST);
    }

    /**
     * Reads the text form, such as {@code every PT10M} or {@code week Europe/Berlin first=SUNDAY catchUp=ALL}. It
     * throws no other exception.
     *
     * @throws IllegalArgumentException if the text is null or malformed, names a zone that this JVM does not know, or
     *     is a cron expression and cron-utils is missing
     */
    static Recurrence parse(String text) {
        return RecurrenceText.parse(text);
    }

    /**
     * Returns the first instant strictly after another one; empty if there is none before the year 10000.
     *
     * @throws IllegalArgumentException if {@code after} is null, or not between year 1 and 9999
     */
    Optional<Instant> next(Instant after);

    /**
     * Returns the last instant at or before another one; empty if there is none since year 1.
     *
     * @throws IllegalArgumentException if {@code notAfter} is null, or not between year 1 and 9999
     */
    Optional<Instant> latest(Instant notAfter);

    /** Returns the rule for missed instants. */
    CatchUp catchUp();

    /**
     * Returns this recurrence with another rule for missed instants.
     *
     * @throws IllegalArgumentException if {@code other} is null
     */
    Recurrence catchUp(CatchUp other);

    /** Returns the text that {@link #parse} reads. Equal recurrences have equal texts, of at most 1000 characters. */
    @Override
    String toString();
}
