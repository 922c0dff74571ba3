package dev.duetime.recurrence;

import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.io.text.ICalReader;
import biweekly.property.DateStart;
import biweekly.property.Summary;
import dev.duetime.internal.Errors;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The holidays of an iCalendar file in a range of dates. Immutable and thread-safe. */
final class IcsHolidays implements Holidays {
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int MOST_COMPONENTS = 20_000;
    private static final int MOST_YEARS = 100;
    private static final Pattern BEGIN = Pattern.compile("(?im)^BEGIN[:;]");

    private final LocalDate first;
    private final LocalDate last;
    private final Set<LocalDate> dates;

    private IcsHolidays(LocalDate first, LocalDate last, Set<LocalDate> dates) {
        this.first = first;
        this.last = last;
        this.dates = Set.copyOf(dates);
    }

    static Holidays read(InputStream ics, LocalDate first, LocalDate last, Predicate<String> chosen)
            throws IOException {
        Limits.given("ics", ics);
        Limits.given("chosen", chosen);
        range(Limits.given("first", first), Limits.given("last", last));
        String text = text(ics);
        List<VEvent> holidays = understood(() -> wholeDays(events(text)));
        // Not inside: what the caller's function throws is no fault of the file.
        List<VEvent> wanted =
                holidays.stream().filter(event -> chosen.test(summary(event))).toList();
        return understood(() -> {
            IcsDates dates = new IcsDates(first, last);
            wanted.forEach(dates::add);
            return new IcsHolidays(first, last, dates.withoutMoved());
        });
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T understood(Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (NoClassDefFoundError e) {
            throw new LimitException("ics", "ics needs net.sf.biweekly:biweekly, which is missing");
        } catch (LimitException e) {
            throw e;
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            // For malformed input the reader may throw anything, such as an AssertionError for a 13th month.
            throw new LimitException("ics", "ics cannot be read: " + Printable.line(String.valueOf(Errors.message(e))));
        }
    }

    private static void range(LocalDate first, LocalDate last) {
        if (last.isBefore(first) || last.isAfter(first.plusYears(MOST_YEARS))) {
            throw new LimitException(
                    "last",
                    "last must be 0 to %s years after first (%s) but was %s".formatted(MOST_YEARS, first, last));
        }
    }

    private static String text(InputStream ics) throws IOException {
        byte[] bytes = ics.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new LimitException("ics", "ics must be at most %s bytes but is longer".formatted(MOST_BYTES));
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        long components =
                BEGIN.matcher(text).results().limit(MOST_COMPONENTS + 1L).count();
        if (components > MOST_COMPONENTS) {
            throw new LimitException(
                    "ics", "ics must have at most %s components but has more".formatted(MOST_COMPONENTS));
        }
        return text;
    }

    private static List<VEvent> events(String text) throws IOException {
        List<VEvent> events = new ArrayList<>();
        boolean isCalendar = false;
        try (ICalReader reader = new ICalReader(text)) {
            for (ICalendar each = reader.readNext(); each != null; each = reader.readNext()) {
                events.addAll(each.getEvents());
                isCalendar = true;
            }
        }
        if (!isCalendar) {
            throw new LimitException("ics", "ics must be an iCalendar file but has no VCALENDAR");
        }
        return events;
    }

    private static List<VEvent> wholeDays(List<VEvent> events) {
        return events.stream().filter(IcsHolidays::isWholeDay).toList();
    }

    private static boolean isWholeDay(VEvent event) {
        DateStart start = event.getDateStart();
        if (start == null) {
            throw new LimitException("ics", "ics has an event without a readable DTSTART");
        }
        boolean isCancelled = event.getStatus() != null && event.getStatus().isCancelled();
        return !start.getValue().hasTime() && !isCancelled;
    }

    private static String summary(VEvent event) {
        Summary summary = event.getSummary();
        return summary == null || summary.getValue() == null ? "" : summary.getValue();
    }

    @Override
    public boolean includes(LocalDate date) {
        if (Limits.given("date", date).isBefore(first) || date.isAfter(last)) {
            throw new LimitException(
                    "date",
                    "date must be between %s and %s, for which the holidays were read, but was %s"
                            .formatted(first, last, date));
        }
        return dates.contains(date);
    }
}
