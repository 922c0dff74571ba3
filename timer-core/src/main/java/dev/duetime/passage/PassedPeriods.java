package dev.duetime.passage;

import dev.duetime.internal.Inside;
import dev.duetime.internal.PeriodDates;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The conversion of recurrences to events: which period has ended, and its name. */
final class PassedPeriods {
    /** The names of all events, in the order in which events due at the same instant are delivered. */
    static final List<String> TYPES = Stream.concat(
                    Stream.of(IntervalHasPassed.class),
                    Arrays.stream(CalendarUnit.values()).map(PassedPeriods::event))
            .map(Class::getSimpleName)
            .toList();

    /** Made from days, not from a recurrence of its own. */
    private static final String WORKING_DAY = WorkingDayHasPassed.class.getSimpleName();

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final int QUARTER_MONTHS = 3;
    private static final int YEAR_MONTHS = 12;

    private PassedPeriods() {}

    /** Returns the place of an event among those due at the same instant: a working day follows its day. */
    static int rank(String type) {
        boolean isWorkingDay = type.equals(WORKING_DAY);
        return 2 * TYPES.indexOf(isWorkingDay ? DayHasPassed.class.getSimpleName() : type) + (isWorkingDay ? 1 : 0);
    }

    /** Returns the name of the events of a recurrence. */
    static String type(Recurrence recurrence) {
        if (recurrence instanceof CalendarRecurrence calendar) {
            return event(calendar.unit()).getSimpleName();
        }
        if (recurrence instanceof IntervalRecurrence) {
            return IntervalHasPassed.class.getSimpleName();
        }
        throw new IllegalArgumentException(
                "recurrence must be an interval or a unit of the calendar but was " + recurrence);
    }

    static Class<? extends TimeHasPassed> event(CalendarUnit unit) {
        return switch (unit) {
            case MINUTE -> MinuteHasPassed.class;
            case HOUR -> HourHasPassed.class;
            case DAY -> DayHasPassed.class;
            case WEEK -> WeekHasPassed.class;
            case MONTH -> MonthHasPassed.class;
            case QUARTER -> QuarterHasPassed.class;
            case YEAR -> YearHasPassed.class;
        };
    }

    /** Returns the units whose events belong to a class. */
    static List<CalendarUnit> units(Class<? extends TimeHasPassed> events) {
        List<CalendarUnit> units = Stream.of(CalendarUnit.values())
                .filter(unit -> events.isAssignableFrom(event(unit)))
                .toList();
        if (units.isEmpty()) {
            throw new IllegalArgumentException(
                    "events must be events of the calendar (use every or publishEvery for intervals) but was "
                            + events.getSimpleName());
        }
        return units;
    }

    static TimeHasPassed of(Recurrence recurrence, Instant now, @Nullable Instant previous) {
        if (recurrence instanceof CalendarRecurrence calendar) {
            return of(
                    calendar,
                    now,
                    previous,
                    passed(recurrence, now, calendar.rules().zone()));
        }
        if (recurrence instanceof IntervalRecurrence interval) {
            return new IntervalHasPassed(now, previous, passed(recurrence, now, UTC), interval.length());
        }
        throw new IllegalArgumentException(
                "recurrence must be an interval or a unit of the calendar but was " + recurrence);
    }

    private static Span passed(Recurrence recurrence, Instant now, ZoneId zone) {
        return recurrence
                .latest(now)
                .flatMap(end -> recurrence.latest(end.minusNanos(1)).map(start -> new Span(start, end, zone)))
                .orElseThrow(() -> new IllegalArgumentException(
                        "now must be after a whole period (%s) but was %s".formatted(recurrence, now)));
    }

    private static TimeHasPassed of(CalendarRecurrence calendar, Instant now, @Nullable Instant previous, Span span) {
        ZonedDateTime start = span.start().atZone(span.zone());
        LocalDate first = Inside.of(calendar, PeriodDates.class).firstDate(span.start());
        YearMonth month = YearMonth.from(first);
        int sinceNewYear = Math.floorMod(
                month.getMonthValue() - calendar.rules().firstMonthOfYear().getValue(), YEAR_MONTHS);
        return switch (calendar.unit()) {
            case MINUTE -> new MinuteHasPassed(now, previous, span, start.toOffsetDateTime());
            case HOUR -> new HourHasPassed(now, previous, span, start.toOffsetDateTime());
            case DAY -> new DayHasPassed(now, previous, span, first);
            case WEEK -> new WeekHasPassed(now, previous, span, first);
            case MONTH -> new MonthHasPassed(now, previous, span, month);
            case QUARTER -> new QuarterHasPassed(now, previous, span, 1 + sinceNewYear / QUARTER_MONTHS, month);
            case YEAR -> new YearHasPassed(now, previous, span, month);
        };
    }
}
