package dev.duetime.recurrence;

import biweekly.component.VEvent;
import biweekly.property.DateEnd;
import biweekly.property.DurationProperty;
import biweekly.property.ExceptionDates;
import biweekly.property.RecurrenceDates;
import biweekly.property.RecurrenceId;
import biweekly.property.RecurrenceRule;
import biweekly.util.DateTimeComponents;
import biweekly.util.Frequency;
import biweekly.util.ICalDate;
import biweekly.util.Recurrence;
import biweekly.util.com.google.ical.compat.javautil.DateIterator;
import dev.duetime.internal.LimitException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The dates of whole-day events of an iCalendar file in a range. Asks biweekly for repeats in UTC, so that the JVM's
 * zone is never used. Bounds the work for files that repeat without end. Used by one thread.
 */
final class IcsDates {
    /** How many repeats a file may have in and before the range. */
    private static final int MOST_REPEATS = 100_000;

    /** A rule that never matches is searched for a century. */
    private static final int MOST_RULES = 1_000;

    private static final int LONGEST_INTERVAL = 10_000;
    /** The first whole year of the Gregorian calendar. */
    private static final int FIRST_YEAR = 1_583;

    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    private final LocalDate first;
    private final LocalDate last;
    private final List<Occurrence> occurrences = new ArrayList<>();
    private final Set<Moved> moved = new HashSet<>();
    private int repeats;
    private int rules;

    /** One repeat of an event. */
    private record Occurrence(String uid, LocalDate start, long days, boolean isOverride) {}

    /** A repeat that another event replaces. */
    private record Moved(String uid, LocalDate from) {}

    IcsDates(LocalDate first, LocalDate last) {
        this.first = first;
        this.last = last;
    }

    /** Adds the repeats of an event that reach into the range. */
    void add(VEvent event) {
        String uid = event.getUid() == null ? "" : String.valueOf(event.getUid().getValue());
        LocalDate start = date(event.getDateStart().getValue());
        long days = days(event, start);
        RecurrenceId id = event.getRecurrenceId();
        if (id != null) {
            replace(uid, id);
        }
        Set<LocalDate> starts = new HashSet<>(Set.of(start));
        for (RecurrenceDates each : event.getRecurrenceDates()) {
            addAll(starts, each.getDates());
        }
        for (RecurrenceRule each : event.getProperties(RecurrenceRule.class)) {
            repeat(each.getValue(), start, starts);
        }
        if (!event.getExceptionRules().isEmpty()) {
            throw new LimitException("ics", "ics must not have an EXRULE, which RFC 5545 has withdrawn");
        }
        Set<LocalDate> exceptions = new HashSet<>();
        for (ExceptionDates each : event.getExceptionDates()) {
            addAll(exceptions, each.getValues());
        }
        starts.removeAll(exceptions);
        starts.forEach(each -> occurrences.add(new Occurrence(uid, each, days, id != null)));
    }

    private void replace(String uid, RecurrenceId id) {
        if (id.getRange() != null) {
            throw new LimitException("ics", "ics must not change several repeats at once (RANGE of a RECURRENCE-ID)");
        }
        moved.add(new Moved(uid, date(id.getValue())));
    }

    private void repeat(@Nullable Recurrence rule, LocalDate start, Set<LocalDate> starts) {
        if (rule == null || rule.getFrequency() == null) {
            throw new LimitException("ics", "ics has an RRULE without a readable FREQ");
        }
        boolean isWithinADay = rule.getFrequency().compareTo(Frequency.DAILY) < 0
                || !rule.getByHour().isEmpty()
                || !rule.getByMinute().isEmpty()
                || !rule.getBySecond().isEmpty();
        if (isWithinADay) {
            throw new LimitException(
                    "ics", "ics must not repeat a whole day within a day (FREQ, BYHOUR … of an RRULE)");
        }
        Integer interval = rule.getInterval();
        if (interval != null && interval > LONGEST_INTERVAL) {
            throw new LimitException(
                    "ics", "ics must have an INTERVAL of at most %s but had %s".formatted(LONGEST_INTERVAL, interval));
        }
        if (++rules > MOST_RULES) {
            throw new LimitException("ics", "ics must have at most %s RRULEs but has more".formatted(MOST_RULES));
        }
        if (start.getYear() < FIRST_YEAR) {
            throw new LimitException(
                    "ics", "ics must not repeat from before year %s but does from %s".formatted(FIRST_YEAR, start));
        }
        // Dates without a time would be read in the JVM's zone.
        DateIterator dates = inUtc(rule).getDateIterator(new ICalDate(utc(start), true), UTC);
        while (dates.hasNext()) {
            LocalDate each = dates.next().toInstant().atOffset(ZoneOffset.UTC).toLocalDate();
            if (each.isAfter(last)) {
                return;
            }
            count();
            starts.add(each);
        }
    }

    /** Returns a rule whose end is a date in UTC: the reader takes it for one in the JVM's zone. */
    private static Recurrence inUtc(Recurrence rule) {
        ICalDate until = rule.getUntil();
        return until == null
                ? rule
                : new Recurrence.Builder(rule)
                        .until(new ICalDate(utc(date(until)), true))
                        .build();
    }

    private void addAll(Set<LocalDate> dates, Collection<ICalDate> values) {
        for (ICalDate each : values) {
            count();
            dates.add(date(each));
        }
    }

    private void count() {
        if (++repeats > MOST_REPEATS) {
            throw new LimitException(
                    "ics", "ics must have at most %s repeats up to %s but has more".formatted(MOST_REPEATS, last));
        }
    }

    /** Returns the length in days: the end is not included, and some files set it to the start. */
    private static long days(VEvent event, LocalDate start) {
        DateEnd end = event.getDateEnd();
        DurationProperty duration = event.getDuration();
        long days = 1;
        if (end != null && end.getValue() != null) {
            days = ChronoUnit.DAYS.between(start, date(end.getValue()));
        } else if (duration != null && duration.getValue() != null) {
            days = Duration.ofMillis(duration.getValue().toMillis()).toDays();
        }
        return Math.max(1, days);
    }

    /** Returns all dates in the range, without repeats that other events replace. */
    Set<LocalDate> withoutMoved() {
        Set<LocalDate> dates = new HashSet<>();
        for (Occurrence each : occurrences) {
            if (!each.isOverride() && moved.contains(new Moved(each.uid(), each.start()))) {
                continue;
            }
            LocalDate end = each.start().plusDays(each.days());
            LocalDate from = each.start().isBefore(first) ? first : each.start();
            for (LocalDate date = from; date.isBefore(end) && !date.isAfter(last); date = date.plusDays(1)) {
                count();
                dates.add(date);
            }
        }
        return dates;
    }

    private static Date utc(LocalDate date) {
        return Date.from(date.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** Returns the date as it is written. */
    private static LocalDate date(ICalDate value) {
        DateTimeComponents raw = value.getRawComponents();
        return LocalDate.of(raw.getYear(), raw.getMonth(), raw.getDate());
    }
}
