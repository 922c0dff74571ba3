package dev.duetime.recurrence;

import dev.duetime.internal.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The dates on which nobody works, besides weekends. A function of your own, a list of dates, or an iCalendar file.
 * Implementations are thread-safe, quick, and give the same answer for the same date.
 */
@FunctionalInterface
public interface Holidays {
    /** No holidays: weekends only. */
    Holidays NONE = date -> false;

    /** Returns whether a date is a holiday. */
    boolean includes(LocalDate date);

    /**
     * Returns the holidays on these dates.
     *
     * @throws IllegalArgumentException if {@code dates} is null or holds null
     */
    static Holidays on(Collection<LocalDate> dates) {
        Limits.given("dates", dates).forEach(date -> Limits.given("date", date));
        Set<LocalDate> known = Set.copyOf(dates);
        return known::contains;
    }

    /**
     * Returns the whole-day events of an iCalendar file (RFC 5545, {@code .ics}), with all their repeats in a range of
     * dates. Otherwise like {@link #fromIcs(InputStream, LocalDate, LocalDate, Predicate)}.
     */
    static Holidays fromIcs(InputStream ics, LocalDate first, LocalDate last) throws IOException {
        return fromIcs(ics, first, last, summary -> true);
    }

    /**
     * Returns the whole-day events of an iCalendar file whose summary is chosen, with all their repeats in a range of
     * dates. Events with a time of day and cancelled events do not count. Needs {@code net.sf.biweekly:biweekly}.
     *
     * <p>A file knows its holidays for some years only. So dates out of the range are refused: {@link #includes} throws
     * an {@link IllegalArgumentException} for them.
     *
     * @param ics in UTF-8, at most 4 MiB, with at most 20,000 components, 1,000 rules that repeat, and 100,000 repeats
     *     up to the end of the range; it is not closed
     * @param first the first date of the range
     * @param last the last date of the range, at most 100 years after the first
     * @param chosen whether an event counts, by its summary, which is empty if it has none; files may also hold days
     *     that are only remembered. What it throws is thrown as it is
     * @throws IllegalArgumentException if an argument is null, the range is empty or too long, the file is too large or
     *     no iCalendar, an event cannot be understood, or biweekly is missing
     * @throws IOException if the file cannot be read
     */
    static Holidays fromIcs(InputStream ics, LocalDate first, LocalDate last, Predicate<String> chosen)
            throws IOException {
        return IcsHolidays.read(ics, first, last, chosen);
    }

    /**
     * Returns the holidays of both.
     *
     * @throws IllegalArgumentException if {@code others} is null
     */
    default Holidays and(Holidays others) {
        Limits.given("others", others);
        return date -> includes(date) || others.includes(date);
    }
}
