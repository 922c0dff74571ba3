package dev.duetime.recurrence;

import dev.duetime.internal.Limits;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;

/**
 * The rules by which days, weeks and years are counted. The machine's zone and language are never used. Immutable and
 * thread-safe.
 *
 * @param zone the zone whose clock and dates count; every zone that is always at UTC becomes {@code UTC}
 * @param firstDayOfWeek the first day of a week
 * @param firstMonthOfYear the first month of a year, and of its first quarter
 */
public record CalendarRules(ZoneId zone, DayOfWeek firstDayOfWeek, Month firstMonthOfYear) {
    private static final ZoneId UTC_ZONE = ZoneId.of("UTC");

    /** Rules for UTC, with weeks from Monday (ISO) and years from January. */
    public static final CalendarRules UTC = in(UTC_ZONE);

    /**
     * Checks that no argument is null.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    public CalendarRules {
        Limits.given("zone", zone);
        Limits.given("firstDayOfWeek", firstDayOfWeek);
        Limits.given("firstMonthOfYear", firstMonthOfYear);
        zone = canonical(zone);
    }

    /**
     * Returns the rules of a zone, with weeks from Monday (ISO) and years from January.
     *
     * @throws IllegalArgumentException if {@code zone} is null
     */
    public static CalendarRules in(ZoneId zone) {
        return new CalendarRules(zone, DayOfWeek.MONDAY, Month.JANUARY);
    }

    /**
     * Returns these rules with weeks that begin on another day.
     *
     * @throws IllegalArgumentException if {@code day} is null
     */
    public CalendarRules weekFrom(DayOfWeek day) {
        return new CalendarRules(zone, day, firstMonthOfYear);
    }

    /**
     * Returns these rules with (fiscal) years that begin on the first of another month.
     *
     * @throws IllegalArgumentException if {@code month} is null
     */
    public CalendarRules yearFrom(Month month) {
        return new CalendarRules(zone, firstDayOfWeek, month);
    }

    /**
     * Returns the working days of the zone: every date but Saturdays, Sundays and holidays. {@link WorkingDays#weekend}
     * sets another weekend.
     *
     * @throws IllegalArgumentException if {@code holidays} is null
     */
    public WorkingDays workingDays(Holidays holidays) {
        return new WorkingDays(
                zone, Limits.given("holidays", holidays), EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY));
    }

    /** Returns one zone for all equal ones: {@code Z}, {@code GMT} and {@code Etc/UTC} become {@code UTC}. */
    static ZoneId canonical(ZoneId zone) {
        return zone.normalized().equals(ZoneOffset.UTC) ? UTC_ZONE : zone;
    }

    /** Returns these rules without those that the unit does not use, so that recurrences with equal times are equal. */
    CalendarRules relevantTo(CalendarUnit unit) {
        return switch (unit) {
            case MINUTE, HOUR, DAY, MONTH -> in(zone);
            case WEEK -> in(zone).weekFrom(firstDayOfWeek);
            case QUARTER, YEAR -> in(zone).yearFrom(firstMonthOfYear);
        };
    }
}
