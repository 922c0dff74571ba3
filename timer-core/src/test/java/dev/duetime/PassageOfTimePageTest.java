package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.WorkingDayHasPassed;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Holidays;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.recurrence.WorkingDays;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/passage-of-time.md shows for recurrences. */
class PassageOfTimePageTest {

    @Test
    void aFiscalCalendarTakesThreeCalls() {
        CalendarRules rules = CalendarRules.in(ZoneId.of("Europe/London"))
                .weekFrom(DayOfWeek.SUNDAY)
                .yearFrom(Month.APRIL);
        Recurrence quarters = Recurrence.each(CalendarUnit.QUARTER, rules);

        assertThat(quarters.next(Instant.parse("2026-11-21T00:00:00Z")))
                .hasValue(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(quarters).hasToString("quarter Europe/London fiscal=APRIL");
    }

    @Test
    void workingDaysAreCountedWithHolidays(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("germany.ics"), """
                BEGIN:VCALENDAR
                BEGIN:VEVENT
                DTSTART;VALUE=DATE:20251225
                DTEND;VALUE=DATE:20251227
                RRULE:FREQ=YEARLY
                END:VEVENT
                END:VCALENDAR
                """);
        Holidays holidays;
        try (InputStream ics = Files.newInputStream(file)) {
            holidays = Holidays.fromIcs(ics, LocalDate.of(2026, 1, 1), LocalDate.of(2028, 12, 31));
        }
        Instant now = Instant.parse("2026-12-23T10:00:00Z");

        WorkingDays days = CalendarRules.in(ZoneId.of("Europe/Berlin")).workingDays(holidays);
        Instant due = days.dueAt(now, 3, LocalTime.of(9, 0));

        assertThat(due).isEqualTo("2026-12-29T08:00:00Z");

        List<LocalDate> reports = new ArrayList<>();
        PassageOfTime time = PassageOfTime.builder()
                .workingDays(days)
                .on(WorkingDayHasPassed.class, "reports", day -> reports.add(day.date()))
                .build();

        assertThat(time.queue()).isEqualTo("passage");
    }

    @Test
    void aCronExpressionHasAZone() {
        Recurrence nightly =
                Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Berlin")).catchUp(CatchUp.ALL);

        assertThat(nightly.next(Instant.parse("2026-11-21T00:00:00Z"))).hasValue(Instant.parse("2026-11-21T02:00:00Z"));
        assertThat(nightly.catchUp()).isEqualTo(CatchUp.ALL);
    }
}
