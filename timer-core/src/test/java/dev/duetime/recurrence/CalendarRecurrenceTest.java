package dev.duetime.recurrence;

import static dev.duetime.recurrence.CalendarUnit.DAY;
import static dev.duetime.recurrence.CalendarUnit.HOUR;
import static dev.duetime.recurrence.CalendarUnit.MINUTE;
import static dev.duetime.recurrence.CalendarUnit.MONTH;
import static dev.duetime.recurrence.CalendarUnit.QUARTER;
import static dev.duetime.recurrence.CalendarUnit.WEEK;
import static dev.duetime.recurrence.CalendarUnit.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Elsewhere;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Elsewhere.class)
class CalendarRecurrenceTest {

    @Nested
    class InBerlin {
        private final CalendarRules rules = CalendarRules.in(ZoneId.of("Europe/Berlin"));

        @Test
        void aSkippedHourIsNoPeriod() {
            assertThat(clock(HOUR, rules, "2026-03-29T00:30+01:00", 3))
                    .containsExactly("2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00", "2026-03-29T04:00+02:00");
        }

        @Test
        void aRepeatedHourIsTwoPeriods() {
            assertThat(clock(HOUR, rules, "2026-10-25T01:30+02:00", 3))
                    .containsExactly("2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00");
        }

        @Test
        void daysHave23Or24Or25Hours() {
            assertThat(lengths(DAY, rules, "2026-03-27T12:00+01:00", 3)).containsExactly(24L * 60, 23L * 60, 24L * 60);
            assertThat(lengths(DAY, rules, "2026-10-23T12:00+02:00", 3)).containsExactly(24L * 60, 25L * 60, 24L * 60);
        }

        @Test
        void minutesAreUniformThroughBothJumps() {
            assertThat(lengths(MINUTE, rules, "2026-03-29T01:00+01:00", 180)).containsOnly(1L);
            assertThat(lengths(MINUTE, rules, "2026-10-25T01:00+02:00", 180)).containsOnly(1L);
        }

        @Test
        void aWeekBeginsWhereTheRulesSay() {
            assertThat(clock(WEEK, rules, "2026-11-21T12:00+01:00", 1)).containsExactly("2026-11-23T00:00+01:00");
            assertThat(clock(WEEK, rules.weekFrom(DayOfWeek.SUNDAY), "2026-11-21T12:00+01:00", 1))
                    .containsExactly("2026-11-22T00:00+01:00");
        }

        @Test
        void quartersAndYearsBeginWhereTheRulesSay() {
            CalendarRules fiscal = rules.yearFrom(Month.FEBRUARY);

            assertThat(clock(QUARTER, fiscal, "2026-11-21T12:00+01:00", 4))
                    .containsExactly(
                            "2027-02-01T00:00+01:00",
                            "2027-05-01T00:00+02:00",
                            "2027-08-01T00:00+02:00",
                            "2027-11-01T00:00+01:00");
            assertThat(clock(YEAR, fiscal, "2026-11-21T12:00+01:00", 2))
                    .containsExactly("2027-02-01T00:00+01:00", "2028-02-01T00:00+01:00");
        }
    }

    @Nested
    class InSaoPaulo {
        private final CalendarRules rules = CalendarRules.in(ZoneId.of("America/Sao_Paulo"));

        @Test
        void aDayWithoutMidnightBeginsAtOne() {
            assertThat(clock(DAY, rules, "2018-11-03T12:00-03:00", 2))
                    .containsExactly("2018-11-04T01:00-02:00", "2018-11-05T00:00-02:00");
        }

        @Test
        void aDayWhoseLastHourIsRepeatedHas25() {
            assertThat(clock(DAY, rules, "2018-02-16T12:00-02:00", 2))
                    .containsExactly("2018-02-17T00:00-02:00", "2018-02-18T00:00-03:00");
            assertThat(clock(HOUR, rules, "2018-02-17T22:30-02:00", 3))
                    .containsExactly("2018-02-17T23:00-02:00", "2018-02-17T23:00-03:00", "2018-02-18T00:00-03:00");
        }
    }

    @Nested
    class InLordHowe {
        private final CalendarRules rules = CalendarRules.in(ZoneId.of("Australia/Lord_Howe"));

        @Test
        void anHourThatTheClockLandsInBeginsThereAndHas30Minutes() {
            assertThat(clock(HOUR, rules, "2026-10-04T00:45+10:30", 4))
                    .containsExactly(
                            "2026-10-04T01:00+10:30",
                            "2026-10-04T02:30+11:00",
                            "2026-10-04T03:00+11:00",
                            "2026-10-04T04:00+11:00");
        }

        @Test
        void anHourWhoseSecondHalfIsRepeatedHas90Minutes() {
            assertThat(clock(HOUR, rules, "2026-04-05T00:45+11:00", 3))
                    .containsExactly("2026-04-05T01:00+11:00", "2026-04-05T02:00+10:30", "2026-04-05T03:00+10:30");
            assertThat(lengths(HOUR, rules, "2026-04-05T00:45+11:00", 2)).containsExactly(90L, 60L);
        }

        @Test
        void everyDayHas24HoursOfTheClock() {
            List<String> hours = clock(HOUR, rules, "2026-04-05T00:00+11:00", 24);

            assertThat(hours).last().isEqualTo("2026-04-06T00:00+10:30");
        }
    }

    @Nested
    class InApia {
        private final CalendarRules rules = CalendarRules.in(ZoneId.of("Pacific/Apia"));

        @Test
        void aSkippedDayIsNoPeriod() {
            assertThat(clock(DAY, rules, "2011-12-28T12:00-10:00", 3))
                    .containsExactly("2011-12-29T00:00-10:00", "2011-12-31T00:00+14:00", "2012-01-01T00:00+14:00");
        }

        @Test
        void theWeekOfASkippedDayHasSixDays() {
            assertThat(lengths(WEEK, rules, "2011-12-20T12:00-10:00", 2)).containsExactly(6L * 24 * 60, 7L * 24 * 60);
        }

        @Test
        void aWeekWithASkippedFirstDayBeginsAtTheJump() {
            assertThat(clock(WEEK, rules.weekFrom(DayOfWeek.FRIDAY), "2011-12-28T12:00-10:00", 2))
                    .containsExactly("2011-12-31T00:00+14:00", "2012-01-06T00:00+14:00");
        }

        @Test
        void aSkippedDayDoesNotMoveTheEndOfTheMonth() {
            assertThat(clock(MONTH, rules, "2011-12-02T12:00-10:00", 1)).containsExactly("2012-01-01T00:00+14:00");
        }
    }

    @Test
    void aDateWhoseMidnightIsRepeatedBeginsOnce() {
        CalendarRules rules = CalendarRules.in(ZoneId.of("America/St_Johns"));

        assertThat(clock(DAY, rules, "2008-11-01T12:00-02:30", 2))
                .containsExactly("2008-11-02T00:00-02:30", "2008-11-03T00:00-03:30");
    }

    /** The clock of St. John's went back from 00:01 to 23:01 of the day before. */
    @Test
    void anHourThatTheClockLeavesForTheDayBeforeHasSixtyMinutesAndComesAgain() {
        CalendarRules rules = CalendarRules.in(ZoneId.of("America/St_Johns"));

        assertThat(clock(HOUR, rules, "2010-11-06T22:30-02:30", 4))
                .containsExactly(
                        "2010-11-06T23:00-02:30",
                        "2010-11-07T00:00-02:30",
                        "2010-11-07T00:00-03:30",
                        "2010-11-07T01:00-03:30");
        assertThat(lengths(HOUR, rules, "2010-11-06T22:30-02:30", 3)).containsExactly(60L, 60L, 60L);
        assertThat(clock(MINUTE, rules, "2010-11-06T23:59-02:30", 2))
                .containsExactly("2010-11-07T00:00-02:30", "2010-11-06T23:01-03:30");
        assertThat(clock(DAY, rules, "2010-11-06T12:00-02:30", 2))
                .containsExactly("2010-11-07T00:00-02:30", "2010-11-08T00:00-03:30");
        assertThat(lengths(DAY, rules, "2010-11-06T12:00-02:30", 1)).containsExactly(25 * 60L);
    }

    @Test
    void thereAreNoBoundariesOutsideTheYears1To9999() {
        CalendarRecurrence years = Recurrence.each(YEAR);

        assertThat(years.next(Instant.parse("9999-06-01T00:00:00Z"))).isEmpty();
        assertThat(years.latest(Instant.parse("0001-06-01T00:00:00Z"))).hasValue(Instant.parse("0001-01-01T00:00:00Z"));
        assertThat(Recurrence.each(YEAR, CalendarRules.UTC.yearFrom(Month.JULY))
                        .latest(Instant.parse("0001-06-01T00:00:00Z")))
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> years.next(Instant.MAX))
                .withMessageStartingWith("after must be between");
    }

    private static List<String> clock(CalendarUnit unit, CalendarRules rules, String after, int count) {
        return starts(unit, rules, after, count).stream()
                .map(start -> start.atZone(rules.zone()).toOffsetDateTime().toString())
                .toList();
    }

    /** Returns how many minutes each of the periods has that begin after a time. */
    private static List<Long> lengths(CalendarUnit unit, CalendarRules rules, String after, int count) {
        List<Instant> starts = starts(unit, rules, after, count + 1);
        List<Long> lengths = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lengths.add(Duration.between(starts.get(i), starts.get(i + 1)).toMinutes());
        }
        return lengths;
    }

    private static List<Instant> starts(CalendarUnit unit, CalendarRules rules, String after, int count) {
        CalendarRecurrence recurrence = Recurrence.each(unit, rules);
        Instant time = OffsetDateTime.parse(after).toInstant();
        List<Instant> starts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            time = recurrence.next(time).orElseThrow();
            assertThat(recurrence.latest(time)).hasValue(time);
            starts.add(time);
        }
        return starts;
    }
}
