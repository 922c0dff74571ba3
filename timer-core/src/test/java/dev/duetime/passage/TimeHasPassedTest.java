package dev.duetime.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Elsewhere;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.Recurrence;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(Elsewhere.class)
class TimeHasPassedTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static final CalendarRules FISCAL =
            CalendarRules.in(BERLIN).weekFrom(DayOfWeek.THURSDAY).yearFrom(Month.OCTOBER);

    /** A Thursday on which all units end. */
    static final Instant MIDNIGHT = instant("2026-10-01T00:00+02:00");

    private static final Instant BEFORE = instant("2026-09-29T00:00+02:00");

    private static Instant instant(String time) {
        return OffsetDateTime.parse(time).toInstant();
    }

    /** One event of each kind, all due at one midnight, in the order of delivery. */
    static List<TimeHasPassed> oneOfEach() {
        List<TimeHasPassed> events = new ArrayList<>();
        events.add(TimeHasPassed.of(Recurrence.every(Duration.ofMinutes(10)), MIDNIGHT, BEFORE));
        for (CalendarUnit unit : CalendarUnit.values()) {
            events.add(TimeHasPassed.of(Recurrence.each(unit, FISCAL), MIDNIGHT, BEFORE));
        }
        return events;
    }

    @Nested
    class Names {
        private final List<TimeHasPassed> events = oneOfEach();

        @Test
        void everyEventHasItsBoundaryThePreviousOneAndThePeriod() {
            assertThat(events).allSatisfy(event -> {
                assertThat(event.now()).isEqualTo(MIDNIGHT);
                assertThat(event.previous()).isEqualTo(BEFORE);
                assertThat(event.end()).isEqualTo(MIDNIGHT);
                assertThat(event.span().contains(event.start())).isTrue();
                assertThat(event.span().contains(event.end())).isFalse();
            });
            assertThat(events)
                    .extracting(TimeHasPassed::start)
                    .containsExactly(
                            instant("2026-09-30T23:50+02:00"),
                            instant("2026-09-30T23:59+02:00"),
                            instant("2026-09-30T23:00+02:00"),
                            instant("2026-09-30T00:00+02:00"),
                            instant("2026-09-24T00:00+02:00"),
                            instant("2026-09-01T00:00+02:00"),
                            instant("2026-07-01T00:00+02:00"),
                            instant("2025-10-01T00:00+02:00"));
        }

        @Test
        void everyPeriodHasItsName() {
            assertThat(events.get(0))
                    .isInstanceOfSatisfying(
                            IntervalHasPassed.class,
                            event -> assertThat(event.length()).isEqualTo(Duration.ofMinutes(10)));
            assertThat(events.get(1))
                    .isInstanceOfSatisfying(
                            MinuteHasPassed.class,
                            event -> assertThat(event.time()).isEqualTo("2026-09-30T23:59+02:00"));
            assertThat(events.get(2))
                    .isInstanceOfSatisfying(
                            HourHasPassed.class,
                            event -> assertThat(event.time()).isEqualTo("2026-09-30T23:00+02:00"));
            assertThat(events.get(3))
                    .isInstanceOfSatisfying(
                            DayHasPassed.class,
                            event -> assertThat(event.date()).isEqualTo("2026-09-30"));
            assertThat(events.get(4)).isInstanceOfSatisfying(WeekHasPassed.class, event -> {
                assertThat(event.firstDate()).isEqualTo("2026-09-24");
                assertThat(event.lastDate()).isEqualTo("2026-09-30");
            });
            assertThat(events.get(5))
                    .isInstanceOfSatisfying(
                            MonthHasPassed.class,
                            event -> assertThat(event.month()).isEqualTo(YearMonth.of(2026, 9)));
            assertThat(events.get(6)).isInstanceOfSatisfying(QuarterHasPassed.class, event -> {
                assertThat(event.year()).isEqualTo(2025);
                assertThat(event.quarter()).isEqualTo(4);
                assertThat(event.firstMonth()).isEqualTo(YearMonth.of(2026, 7));
            });
            assertThat(events.get(7)).isInstanceOfSatisfying(YearHasPassed.class, event -> {
                assertThat(event.year()).isEqualTo(2025);
                assertThat(event.firstMonth()).isEqualTo(YearMonth.of(2025, 10));
            });
        }

        @Test
        void eventsOfOneInstantComeInOrderOfLength() {
            List<TimeHasPassed> shuffled = new ArrayList<>(events);
            Collections.reverse(shuffled);
            shuffled.sort(TimeHasPassed.ORDER);

            assertThat(shuffled).isEqualTo(events);
            assertThat(PassedPeriods.rank("WorkingDayHasPassed"))
                    .isBetween(PassedPeriods.rank("DayHasPassed") + 1, PassedPeriods.rank("WeekHasPassed") - 1);
            assertThat(events).extracting(TimeHasPassed::type).isEqualTo(PassedPeriods.TYPES);
        }
    }

    @ParameterizedTest
    @EnumSource(Month.class)
    void theFourQuartersOfAYearCarryItsNumberWhereverItStarts(Month month) {
        CalendarRules rules = CalendarRules.in(BERLIN).yearFrom(month);
        Recurrence quarters = Recurrence.each(CalendarUnit.QUARTER, rules);
        Instant time = LocalDate.of(2026, month, 1).atStartOfDay(BERLIN).toInstant();

        for (int i = 0; i < 12; i++) {
            Instant start = time;
            time = quarters.next(time).orElseThrow();
            QuarterHasPassed event = (QuarterHasPassed) TimeHasPassed.of(quarters, time, null);
            assertThat(event.year()).isEqualTo(2026 + i / 4);
            assertThat(event.quarter()).isEqualTo(1 + i % 4);
            assertThat(event.start()).isEqualTo(start);
        }
    }

    @Nested
    class ThroughJumpsOfTheClock {
        @Test
        void aRepeatedHourGivesTwoEvents() {
            Recurrence hours = Recurrence.each(CalendarUnit.HOUR, BERLIN);

            assertThat(TimeHasPassed.of(hours, instant("2026-10-25T02:00+01:00"), null))
                    .isInstanceOfSatisfying(
                            HourHasPassed.class,
                            event -> assertThat(event.time()).hasToString("2026-10-25T02:00+02:00"));
            assertThat(TimeHasPassed.of(hours, instant("2026-10-25T03:00+01:00"), null))
                    .isInstanceOfSatisfying(
                            HourHasPassed.class,
                            event -> assertThat(event.time()).hasToString("2026-10-25T02:00+01:00"));
        }

        @Test
        void aDayThatBeginsAtOneHasItsDate() {
            Recurrence days = Recurrence.each(CalendarUnit.DAY, ZoneId.of("America/Sao_Paulo"));

            assertThat(TimeHasPassed.of(days, instant("2018-11-04T01:00-02:00"), null))
                    .isInstanceOfSatisfying(
                            DayHasPassed.class,
                            event -> assertThat(event.date()).isEqualTo("2018-11-03"));
            assertThat(TimeHasPassed.of(days, instant("2018-11-05T00:00-02:00"), null))
                    .isInstanceOfSatisfying(DayHasPassed.class, event -> {
                        assertThat(event.date()).isEqualTo("2018-11-04");
                        assertThat(event.span().length()).isEqualTo(Duration.ofHours(23));
                    });
        }

        @Test
        void aSkippedDayGivesNoEvent() {
            Recurrence days = Recurrence.each(CalendarUnit.DAY, ZoneId.of("Pacific/Apia"));

            assertThat(TimeHasPassed.of(days, instant("2011-12-31T00:00+14:00"), null))
                    .isInstanceOfSatisfying(
                            DayHasPassed.class,
                            event -> assertThat(event.date()).isEqualTo("2011-12-29"));
            assertThat(TimeHasPassed.of(days, instant("2012-01-01T00:00+14:00"), null))
                    .isInstanceOfSatisfying(
                            DayHasPassed.class,
                            event -> assertThat(event.date()).isEqualTo("2011-12-31"));
        }

        @Test
        void aFormerBoundaryGivesTheLastPeriodThatHasEnded() {
            Instant midnightOnce = instant("2026-11-20T00:00+02:00");

            assertThat(TimeHasPassed.of(Recurrence.each(CalendarUnit.DAY, BERLIN), midnightOnce, null))
                    .isInstanceOfSatisfying(DayHasPassed.class, event -> {
                        assertThat(event.now()).isEqualTo(midnightOnce);
                        assertThat(event.date()).isEqualTo("2026-11-18");
                        assertThat(event.end()).isEqualTo(instant("2026-11-19T00:00+01:00"));
                    });
        }
    }

    @Nested
    class Checks {
        private final Span span = new Span(BEFORE, MIDNIGHT, BERLIN);

        @Test
        void contradictoryFieldsAreRefused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Span(MIDNIGHT, MIDNIGHT, BERLIN))
                    .withMessageStartingWith("start must be before end");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new DayHasPassed(MIDNIGHT, MIDNIGHT, span, LocalDate.EPOCH))
                    .withMessageStartingWith("previous must be before now");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new DayHasPassed(BEFORE, null, span, LocalDate.EPOCH))
                    .withMessageStartingWith("end must not be after now");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new QuarterHasPassed(MIDNIGHT, null, span, 5, YearMonth.of(2026, 1)))
                    .withMessage("quarter must be between 1 and 4 but was 5");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new IntervalHasPassed(MIDNIGHT, null, span, Duration.ofHours(1)))
                    .withMessageStartingWith("length must be that of the span");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new HourHasPassed(MIDNIGHT, null, span, OffsetDateTime.MIN))
                    .withMessageStartingWith("time must be the instant of start");
        }

        @Test
        void aCronExpressionHasNoPeriods() {
            Recurrence cron = Recurrence.cron("0 3 * * *", BERLIN);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TimeHasPassed.of(cron, MIDNIGHT, null))
                    .withMessageStartingWith("recurrence must be an interval or a unit of the calendar");
        }
    }
}
