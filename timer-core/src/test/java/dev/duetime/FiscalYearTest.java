package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of every start of a fiscal year through 400 years. After these the calendar repeats. */
@ExtendWith(Elsewhere.class)
class FiscalYearTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final int FIRST_YEAR = 1900;
    private static final int YEARS = 400;

    @ParameterizedTest
    @EnumSource(Month.class)
    void yearsFollowEachOtherWithoutGapOrOverlap(Month month) {
        CalendarRecurrence years =
                Recurrence.each(CalendarUnit.YEAR, CalendarRules.in(BERLIN).yearFrom(month));
        Instant time = midnight(LocalDate.of(FIRST_YEAR, month, 1));

        for (int year = 1; year <= YEARS; year++) {
            Instant end = years.next(time).orElseThrow();
            assertThat(end).isEqualTo(midnight(LocalDate.of(FIRST_YEAR + year, month, 1)));
            assertThat(years.latest(end.minusNanos(1))).hasValue(time);
            assertThat(years.latest(end)).hasValue(end);
            time = end;
        }
    }

    @ParameterizedTest
    @EnumSource(Month.class)
    void quartersFillTheirYearWithoutGapOrOverlap(Month month) {
        CalendarRules rules = CalendarRules.in(BERLIN).yearFrom(month);
        CalendarRecurrence quarters = Recurrence.each(CalendarUnit.QUARTER, rules);
        CalendarRecurrence years = Recurrence.each(CalendarUnit.YEAR, rules);
        LocalDate first = LocalDate.of(FIRST_YEAR, month, 1);
        Instant time = midnight(first);

        for (int quarter = 1; quarter <= 4 * YEARS; quarter++) {
            Instant end = quarters.next(time).orElseThrow();
            assertThat(end).isEqualTo(midnight(first.plusMonths(3L * quarter)));
            assertThat(quarters.latest(end.minusNanos(1))).hasValue(time);
            assertThat(years.latest(end).equals(Optional.of(end))).isEqualTo(quarter % 4 == 0);
            time = end;
        }
    }

    @Test
    void aQuarterThatEndsInFebruaryEndsOnItsLastDay() {
        CalendarRecurrence quarters =
                Recurrence.each(CalendarUnit.QUARTER, CalendarRules.in(BERLIN).yearFrom(Month.MARCH));

        assertThat(quarters.next(midnight(LocalDate.of(2028, 2, 29)))).hasValue(midnight(LocalDate.of(2028, 3, 1)));
        assertThat(quarters.next(midnight(LocalDate.of(2027, 2, 28)))).hasValue(midnight(LocalDate.of(2027, 3, 1)));
    }

    private static Instant midnight(LocalDate date) {
        return date.atStartOfDay(BERLIN).toInstant();
    }
}
