package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

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
    void aCronExpressionHasAZone() {
        Recurrence nightly =
                Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Berlin")).catchUp(CatchUp.ALL);

        assertThat(nightly.next(Instant.parse("2026-11-21T00:00:00Z"))).hasValue(Instant.parse("2026-11-21T02:00:00Z"));
        assertThat(nightly.catchUp()).isEqualTo(CatchUp.ALL);
    }
}
