package dev.duetime.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.Elsewhere;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Elsewhere.class)
class WorkingDaysTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDate FRIDAY = LocalDate.parse("2026-11-20");
    private static final LocalDate FIRST = LocalDate.parse("2010-07-01");
    private static final WorkingDays DAYS = CalendarRules.in(BERLIN).workingDays(Holidays.NONE);

    @Test
    void aWorkingDayAfterFridayOrTheWeekendIsMonday() {
        for (int day = 0; day < 3; day++) {
            assertThat(DAYS.nextWorkingDay(FRIDAY.plusDays(day))).isEqualTo("2026-11-23");
            assertThat(DAYS.plusWorkingDays(FRIDAY.plusDays(day), 1)).isEqualTo("2026-11-23");
        }
        assertThat(DAYS.plusWorkingDays(FRIDAY, 6)).isEqualTo("2026-11-30");
        assertThat(DAYS.previousWorkingDay(LocalDate.parse("2026-11-23"))).isEqualTo(FRIDAY);
    }

    @Test
    void holidaysAndAnotherWeekendCount() {
        WorkingDays days = CalendarRules.in(ZoneId.of("Asia/Riyadh"))
                .workingDays(Holidays.on(Set.of(LocalDate.parse("2026-11-22"))).and(date -> date.getDayOfMonth() == 23))
                .weekend(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY);

        assertThat(days.nextWorkingDay(LocalDate.parse("2026-11-19"))).isEqualTo("2026-11-24");
        assertThat(days.isWorkingDay(LocalDate.parse("2026-11-28"))).isFalse();
        assertThat(days.weekend().isWorkingDay(LocalDate.parse("2026-11-28"))).isTrue();
    }

    @Test
    void aDueTimeKeepsTheLocalTimeThroughChangesOfTheClock() {
        Instant friday = Instant.parse("2026-10-23T08:30:00Z"); // 10:30 in Berlin, two days before the clock goes back

        assertThat(DAYS.dueAt(friday, 1)).isEqualTo("2026-10-26T09:30:00Z");
        assertThat(DAYS.dueAt(friday, 1, LocalTime.of(8, 0))).isEqualTo("2026-10-26T07:00:00Z");
    }

    @Test
    void aSkippedTimeComesWithTheJumpAndARepeatedOneTheFirstTime() {
        WorkingDays all = DAYS.weekend();

        assertThat(all.dueAt(Instant.parse("2026-03-28T01:30:00Z"), 1)).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(all.dueAt(Instant.parse("2026-10-24T00:30:00Z"), 1)).isEqualTo("2026-10-25T00:30:00Z");
    }

    @Test
    void aDateThatTheZoneSkipsIsNoWorkingDay() {
        WorkingDays apia = CalendarRules.in(ZoneId.of("Pacific/Apia")).workingDays(Holidays.NONE);

        assertThat(apia.isWorkingDay(LocalDate.parse("2011-12-30"))).isFalse();
        assertThat(apia.nextWorkingDay(LocalDate.parse("2011-12-29"))).isEqualTo("2012-01-02");
    }

    @Test
    void aSearchForAWorkingDayEnds() {
        WorkingDays none = CalendarRules.UTC.workingDays(date -> true);

        assertThatIllegalStateException()
                .isThrownBy(() -> none.nextWorkingDay(FRIDAY))
                .withMessage(
                        "no working day was found after 2026-11-20: neither within 3660 dates nor up to year 9999");
        assertThatIllegalStateException().isThrownBy(() -> DAYS.nextWorkingDay(LocalDate.parse("9999-12-31")));
        assertThatIllegalStateException().isThrownBy(() -> DAYS.previousWorkingDay(LocalDate.parse("0001-01-01")));
    }

    @Test
    void aSearchAsksAboutTenYearsAtMost() {
        List<LocalDate> asked = new ArrayList<>();
        WorkingDays none = CalendarRules.UTC.workingDays(asked::add).weekend();

        assertThatIllegalStateException().isThrownBy(() -> none.nextWorkingDay(FRIDAY));

        assertThat(asked).hasSize(3_660);
    }

    @Test
    @SuppressWarnings("NullAway")
    void wrongArgumentsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DAYS.plusWorkingDays(FRIDAY, 0))
                .withMessageContaining("workingDays must be between 1 and 10000 but was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> DAYS.plusWorkingDays(FRIDAY, 10_001));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DAYS.isWorkingDay(LocalDate.of(10_000, 1, 1)))
                .withMessageContaining("date must be between year 1 and 9999 but was +10000-01-01");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DAYS.weekend(DayOfWeek.values()))
                .withMessageContaining("at least one working day");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DAYS.weekend(DayOfWeek.FRIDAY, null))
                .withMessageContaining("day must");
    }

    /** The reference walks through all instants of a zone, half an hour at a time, and notes the first of each date. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTC",
                "Europe/Berlin",
                "America/New_York",
                "America/Sao_Paulo",
                "America/St_Johns",
                "Australia/Lord_Howe",
                "Pacific/Apia",
                "Asia/Gaza"
            })
    void everyAnswerIsThatOfASlowWalkThroughTime(String zoneId) {
        ZoneId zone = ZoneId.of(zoneId);
        NavigableMap<LocalDate, Instant> dates = new TreeMap<>();
        Instant end = Instant.parse("2013-06-01T00:00:00Z");
        for (Instant at = Instant.parse("2010-06-01T00:00:00Z"); at.isBefore(end); at = at.plusSeconds(1_800)) {
            dates.putIfAbsent(at.atZone(zone).toLocalDate(), at);
        }
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            Set<LocalDate> holidays = new HashSet<>();
            dates.keySet().stream().filter(date -> random.nextInt(8) == 0).forEach(holidays::add);
            Set<DayOfWeek> weekend = new HashSet<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                weekend.add(DayOfWeek.of(1 + random.nextInt(7)));
            }
            WorkingDays days = CalendarRules.in(zone)
                    .workingDays(Holidays.on(holidays))
                    .weekend(weekend.toArray(DayOfWeek[]::new));
            List<LocalDate> working = new ArrayList<>(dates.keySet());
            working.removeIf(date -> holidays.contains(date) || weekend.contains(date.getDayOfWeek()));
            for (int i = 0; i < 40; i++) {
                LocalDate from = FIRST.plusDays(random.nextInt(700));
                int count = 1 + random.nextInt(60);
                List<LocalDate> later =
                        working.stream().filter(date -> date.isAfter(from)).toList();
                LocalDate expected = later.get(count - 1);
                String as = "seed %d, %s + %d".formatted(seed, from, count);
                assertThat(days.plusWorkingDays(from, count)).as(as).isEqualTo(expected);
                assertThat(days.nextWorkingDay(from)).as(as).isEqualTo(later.get(0));
                assertThat(days.previousWorkingDay(expected))
                        .as(as)
                        .isEqualTo(working.get(working.indexOf(expected) - 1));
                assertThat(days.isWorkingDay(from)).as(as).isEqualTo(working.contains(from));

                LocalTime time = LocalTime.ofSecondOfDay(random.nextInt(48) * 1_800L);
                assertThat(days.dueAt(from.atTime(12, 0).atZone(zone).toInstant(), count, time))
                        .as("%s at %s", as, time)
                        .isEqualTo(firstAt(zone, afterNoon(zone, from, working, count), time));
            }
        }
    }

    /** Returns the date that is some working days after noon of a date; a skipped date's noon is on the next one. */
    private static LocalDate afterNoon(ZoneId zone, LocalDate from, List<LocalDate> working, int count) {
        LocalDate date = from.atTime(12, 0).atZone(zone).toLocalDate();
        return working.stream().filter(each -> each.isAfter(date)).toList().get(count - 1);
    }

    /** Returns the first instant of a date at which the clock shows a time or a later one, found minute by minute. */
    private static Instant firstAt(ZoneId zone, LocalDate date, LocalTime time) {
        ZonedDateTime at = date.atStartOfDay(zone);
        while (at.toLocalDateTime().isBefore(date.atTime(time))) {
            at = at.plusMinutes(1);
        }
        return at.toInstant();
    }
}
