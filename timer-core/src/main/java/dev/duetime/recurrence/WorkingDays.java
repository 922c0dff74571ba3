package dev.duetime.recurrence;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.EnumSet;
import java.util.Set;

/**
 * The working days of a zone: all dates but weekends and holidays. Created by {@link CalendarRules#workingDays}. A date
 * that the zone skips completely is no working day. Immutable and thread-safe, if the holidays are.
 *
 * <pre>{@code
 * WorkingDays days = CalendarRules.in(ZoneId.of("Europe/Berlin")).workingDays(holidays);
 * Timer.at("reminder-17", days.dueAt(clock.now(), 3, LocalTime.of(9, 0)))
 * }</pre>
 *
 * <p>Nothing of this is stored: a due time is computed when it is scheduled, and stays if the holidays change.
 *
 * <p>Each method that looks for a working day throws an {@link IllegalStateException} if it finds none within ten years
 * or before the year 10000, and lets out what the function of the holidays throws.
 */
public final class WorkingDays {
    /** The most working days that can be counted. */
    private static final int MOST = 10_000;
    /** How many dates in a row may be free. */
    private static final int LONGEST_BREAK = 3_660;

    private static final int LAST_YEAR = 9_999;

    private final ZoneId zone;
    private final Holidays holidays;
    private final Set<DayOfWeek> weekend;

    WorkingDays(ZoneId zone, Holidays holidays, Set<DayOfWeek> weekend) {
        this.zone = zone;
        this.holidays = holidays;
        this.weekend = weekend;
    }

    /** Returns the zone whose dates count. */
    public ZoneId zone() {
        return zone;
    }

    /**
     * Returns these working days with another weekend; Saturday and Sunday by default, none if no day is given.
     *
     * @throws IllegalArgumentException if a day is null, or all seven days are given
     */
    public WorkingDays weekend(DayOfWeek... days) {
        Set<DayOfWeek> free = EnumSet.noneOf(DayOfWeek.class);
        for (DayOfWeek each : Limits.given("days", days)) {
            free.add(Limits.given("day", each));
        }
        if (free.size() == DayOfWeek.values().length) {
            throw new LimitException("days", "days must leave at least one working day in a week but was all seven");
        }
        return new WorkingDays(zone, holidays, free);
    }

    /**
     * Returns whether a date is a working day.
     *
     * @throws IllegalArgumentException if {@code date} is null, or not between year 1 and 9999
     */
    public boolean isWorkingDay(LocalDate date) {
        checked(date);
        return !weekend.contains(date.getDayOfWeek())
                && date.atStartOfDay(zone).toLocalDate().equals(date)
                && !holidays.includes(date);
    }

    /**
     * Returns the first working day after a date.
     *
     * @throws IllegalArgumentException if {@code date} is null, or not between year 1 and 9999
     */
    public LocalDate nextWorkingDay(LocalDate date) {
        return search(checked(date), 1);
    }

    /**
     * Returns the last working day before a date.
     *
     * @throws IllegalArgumentException if {@code date} is null, or not between year 1 and 9999
     */
    public LocalDate previousWorkingDay(LocalDate date) {
        return search(checked(date), -1);
    }

    /**
     * Returns the date that is some working days after a date. One working day after a Friday, a Saturday or a Sunday
     * is the Monday.
     *
     * @param workingDays 1 to 10,000
     * @throws IllegalArgumentException if {@code date} is null or not between year 1 and 9999, or {@code workingDays}
     *     is out of range
     */
    public LocalDate plusWorkingDays(LocalDate date, int workingDays) {
        Limits.number("workingDays", workingDays, 1, MOST);
        LocalDate day = checked(date);
        for (int i = 0; i < workingDays; i++) {
            day = search(day, 1);
        }
        return day;
    }

    /**
     * Returns the instant that is some working days after another one, at the same local time. A time that the clock
     * skips on that date comes when the clock jumps; of a time that it shows twice the first one counts.
     *
     * @param workingDays 1 to 10,000
     * @throws IllegalArgumentException if {@code from} is null or not between year 1 and 9999, or {@code workingDays}
     *     is out of range
     */
    public Instant dueAt(Instant from, int workingDays) {
        LocalDateTime local = local(from);
        return at(plusWorkingDays(local.toLocalDate(), workingDays).atTime(local.toLocalTime()));
    }

    /**
     * Returns a local time on the date that is some working days after an instant; otherwise like {@link
     * #dueAt(Instant, int)}.
     *
     * @throws IllegalArgumentException like {@link #dueAt(Instant, int)}, or if {@code time} is null
     */
    public Instant dueAt(Instant from, int workingDays, LocalTime time) {
        return at(plusWorkingDays(local(from).toLocalDate(), workingDays).atTime(Limits.given("time", time)));
    }

    private LocalDateTime local(Instant from) {
        return LocalDateTime.ofInstant(Limits.instant("from", from), zone);
    }

    private Instant at(LocalDateTime local) {
        ZoneOffsetTransition jump = zone.getRules().getTransition(local);
        return jump != null && jump.isGap()
                ? jump.getInstant()
                : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    }

    private LocalDate search(LocalDate date, int step) {
        LocalDate each = date;
        for (int i = 0; i < LONGEST_BREAK; i++) {
            each = each.plusDays(step);
            if (!isInRange(each)) {
                break;
            }
            if (isWorkingDay(each)) {
                return each;
            }
        }
        throw new IllegalStateException("no working day was found %s %s: neither within %s dates nor up to year %s"
                .formatted(step > 0 ? "after" : "before", date, LONGEST_BREAK, step > 0 ? LAST_YEAR : 1));
    }

    private static LocalDate checked(LocalDate date) {
        if (!isInRange(Limits.given("date", date))) {
            throw new LimitException(
                    "date", "date must be between year 1 and %s but was %s".formatted(LAST_YEAR, date));
        }
        return date;
    }

    private static boolean isInRange(LocalDate date) {
        return date.getYear() >= 1 && date.getYear() <= LAST_YEAR;
    }
}
