package dev.duetime.recurrence;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * A kind of calendar period. If several periods end at once, for example at midnight, their events come in the order of
 * this enum: shorter periods first.
 */
public enum CalendarUnit {
    /** From one full minute on the local clock to the next. */
    MINUTE(1, ChronoUnit.MINUTES),
    /** From one full hour on the local clock to the next. */
    HOUR(1, ChronoUnit.HOURS),
    /** A local date. */
    DAY(1, ChronoUnit.DAYS),
    /** Seven dates, from the {@linkplain CalendarRules#firstDayOfWeek first day of the week}. */
    WEEK(1, ChronoUnit.WEEKS),
    /** A month of the calendar. */
    MONTH(1, ChronoUnit.MONTHS),
    /** Three months, counted from the {@linkplain CalendarRules#firstMonthOfYear first month of the year}. */
    QUARTER(3, ChronoUnit.MONTHS),
    /** Twelve months, from the {@linkplain CalendarRules#firstMonthOfYear first month of the year}. */
    YEAR(12, ChronoUnit.MONTHS);

    private final int steps;
    private final ChronoUnit step;

    CalendarUnit(int steps, ChronoUnit step) {
        this.steps = steps;
        this.step = step;
    }

    /** Returns the start, on the local clock, of the period that contains a local time. */
    LocalDateTime start(LocalDateTime time, CalendarRules rules) {
        return switch (this) {
            case MINUTE, HOUR, DAY -> time.truncatedTo(step);
            case WEEK -> DAY.start(time, rules).with(TemporalAdjusters.previousOrSame(rules.firstDayOfWeek()));
            case MONTH, QUARTER, YEAR -> {
                int passed = Math.floorMod(
                        time.getMonthValue() - rules.firstMonthOfYear().getValue(), steps);
                yield DAY.start(time, rules).withDayOfMonth(1).minusMonths(passed);
            }
        };
    }

    /** Returns the start of the next period after the one with this start. */
    LocalDateTime following(LocalDateTime start) {
        return start.plus(steps, step);
    }
}
