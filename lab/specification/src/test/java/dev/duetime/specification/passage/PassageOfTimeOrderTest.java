package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.QuarterHasPassed;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.passage.YearHasPassed;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.specification.Elsewhere;
import dev.duetime.testkit.TimerKit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the order of events, and of the clock that decides it. */
@ExtendWith(Elsewhere.class)
class PassageOfTimeOrderTest extends PassageKit {
    @Test
    void atTheEndOfAYearTheShorterPeriodComesFirst() {
        Instant newYear = Instant.parse("2030-01-01T00:00:00Z");
        PassageOfTime.Builder time = PassageOfTime.builder()
                .firstDayOfWeek(DayOfWeek.TUESDAY)
                .on(TimeHasPassed.class, "all", event -> told.add(event.type()));
        try (TimerKit kit = kit(newYear.minusSeconds(30), time)) {
            kit.advanceTo(newYear);
            assertThat(told)
                    .containsExactly(
                            "MinuteHasPassed",
                            "HourHasPassed",
                            "DayHasPassed",
                            "WeekHasPassed",
                            "MonthHasPassed",
                            "QuarterHasPassed",
                            "YearHasPassed");
        }
    }

    @Test
    void theOrderIsKeptAcrossAMissedMidnight() {
        Instant newYear = Instant.parse("2030-01-01T00:00:00Z");
        PassageOfTime.Builder time = PassageOfTime.builder()
                .firstDayOfWeek(DayOfWeek.TUESDAY)
                .on(TimeHasPassed.class, "all", CatchUp.ALL, tell());
        try (TimerKit kit = kit(newYear.minusSeconds(130), time)) {
            kit.node(0).close();
            kit.advanceTo(newYear.plusSeconds(70));
            kit.node(0).restart();
            kit.runDue();
            assertThat(told)
                    .containsExactly(
                            "MinuteHasPassed 2029-12-31T23:58:00Z",
                            "MinuteHasPassed 2029-12-31T23:59:00Z",
                            "MinuteHasPassed 2030-01-01T00:00:00Z",
                            "HourHasPassed 2030-01-01T00:00:00Z",
                            "DayHasPassed 2030-01-01T00:00:00Z",
                            "WeekHasPassed 2030-01-01T00:00:00Z",
                            "MonthHasPassed 2030-01-01T00:00:00Z",
                            "QuarterHasPassed 2030-01-01T00:00:00Z",
                            "YearHasPassed 2030-01-01T00:00:00Z",
                            "MinuteHasPassed 2030-01-01T00:01:00Z");
        }
    }

    @Test
    void theHourSkippedInMarchGivesNoEvent() {
        try (TimerKit kit = kit(Instant.parse("2030-03-30T23:30:00Z"), hoursAndDaysOfBerlin())) {
            kit.advance(Duration.ofHours(3));
            assertThat(told)
                    .containsExactly(
                            "2030-03-31T00:00+01:00 until 2030-03-31T00:00:00Z",
                            "2030-03-31T01:00+01:00 until 2030-03-31T01:00:00Z",
                            "2030-03-31T03:00+02:00 until 2030-03-31T02:00:00Z");
            kit.advance(Duration.ofHours(20));
            assertThat(told).contains("2030-03-31 of 23 hours").hasSize(24);
        }
    }

    @Test
    void theHourRepeatedInOctoberGivesTwoEvents() {
        try (TimerKit kit = kit(Instant.parse("2030-10-26T22:30:00Z"), hoursAndDaysOfBerlin())) {
            kit.advance(Duration.ofHours(4));
            assertThat(told)
                    .containsExactly(
                            "2030-10-27T00:00+02:00 until 2030-10-26T23:00:00Z",
                            "2030-10-27T01:00+02:00 until 2030-10-27T00:00:00Z",
                            "2030-10-27T02:00+02:00 until 2030-10-27T01:00:00Z",
                            "2030-10-27T02:00+01:00 until 2030-10-27T02:00:00Z");
            kit.advance(Duration.ofHours(21));
            assertThat(told).contains("2030-10-27 of 25 hours").hasSize(26);
        }
    }

    @Test
    void severalZonesMayBeSubscribed() {
        PassageOfTime.Builder time = PassageOfTime.builder()
                .zone(BERLIN)
                .on(DayHasPassed.class, "days", event -> told.add("Berlin " + event.date() + " " + event.now()))
                .zone(ZoneId.of("Asia/Tokyo"))
                .on(DayHasPassed.class, "days", event -> told.add("Tokyo " + event.date() + " " + event.now()));
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(24));
            assertThat(told)
                    .containsExactly("Tokyo 2030-01-01 2030-01-01T15:00:00Z", "Berlin 2030-01-01 2030-01-01T23:00:00Z");
            assertThat(ticks(kit))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("passage/days/3-day/Asia/Tokyo", "passage/days/3-day/Europe/Berlin");
        }
    }

    @Test
    void intervalsComeFirstThenShorterPeriodsInAllZones() {
        PassageOfTime.Builder time = PassageOfTime.builder()
                .zone(ZoneId.of("Africa/Abidjan"))
                .on(TimeHasPassed.class, "all", event -> told.add(event.zone() + " " + event.type()))
                .zone(ZoneId.of("Atlantic/Reykjavik"))
                .on(TimeHasPassed.class, "all", event -> told.add(event.zone() + " " + event.type()))
                .every(Duration.ofHours(6), "all", event -> told.add(event.type()));
        try (TimerKit kit = kit(START.plusSeconds(86_370), time)) {
            kit.advance(Duration.ofSeconds(30));
            assertThat(told)
                    .containsExactly(
                            "IntervalHasPassed",
                            "Africa/Abidjan MinuteHasPassed",
                            "Atlantic/Reykjavik MinuteHasPassed",
                            "Africa/Abidjan HourHasPassed",
                            "Atlantic/Reykjavik HourHasPassed",
                            "Africa/Abidjan DayHasPassed",
                            "Atlantic/Reykjavik DayHasPassed");
        }
    }

    @Test
    void intervalsIgnoreTheCalendar() {
        PassageOfTime.Builder time =
                PassageOfTime.builder().every(Duration.ofSeconds(30), "poll", event -> told.add("poll " + event.now()));
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofSeconds(60));
            assertThat(told).containsExactly("poll " + START.plusSeconds(30), "poll " + START.plusSeconds(60));
        }
    }

    @Test
    void aFiscalYearAndItsQuartersBeginInItsFirstMonth() {
        PassageOfTime.Builder time = PassageOfTime.builder()
                .fiscalYearStart(Month.APRIL)
                .on(QuarterHasPassed.class, "a", event -> told.add(event.quarter() + " of " + event.year()))
                .on(YearHasPassed.class, "a", event -> told.add("from " + event.firstMonth()));
        try (TimerKit kit = kit(Instant.parse("2030-03-31T23:59:00Z"), time)) {
            kit.advance(Duration.ofMinutes(1));
        }
        assertThat(told).containsExactly("4 of 2029", "from 2029-04");
    }
}
