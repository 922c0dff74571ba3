package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.passage.WorkingDayHasPassed;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Holidays;
import dev.duetime.recurrence.WorkingDays;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the event that a working day has passed, with the real engine in virtual time. */
class PassageOfWorkingDaysTest extends PassageKit {
    private static final LocalDate HOLIDAY = LocalDate.parse("2026-12-25");
    private static final WorkingDays DAYS =
            CalendarRules.in(BERLIN).workingDays(Holidays.on(Set.of(HOLIDAY, LocalDate.parse("2026-11-25"))));

    private final List<WorkingDayHasPassed> passed = new ArrayList<>();

    @Test
    void weekendsAndHolidaysHaveNoEvent() {
        Instant monday = Instant.parse("2026-11-23T08:00:00Z");
        try (TimerKit kit = kit(monday, time(CatchUp.LATEST))) {
            kit.advance(Duration.ofDays(8));
        }
        assertThat(passed)
                .extracting(each -> each.date().toString())
                .containsExactly("2026-11-23", "2026-11-24", "2026-11-26", "2026-11-27", "2026-11-30");
        WorkingDayHasPassed last = passed.get(4);
        assertThat(last.now()).isEqualTo("2026-11-30T23:00:00Z");
        assertThat(last.start()).isEqualTo("2026-11-29T23:00:00Z");
        assertThat(last.previous()).isEqualTo(last.start());
        assertThat(TimeHasPassed.fromJson(last.toJson())).isEqualTo(last);
    }

    @Test
    void aFridayIsNotLostIfTheNodesAreDownUntilSunday() {
        assertThat(afterAWeekend(CatchUp.LATEST)).containsExactly("2026-11-27", "2026-11-30");
        WorkingDayHasPassed friday = passed.get(0);
        assertThat(friday.start()).isEqualTo(Instant.parse("2026-11-26T23:00:00Z"));
        assertThat(friday.end())
                .isEqualTo(Instant.parse("2026-11-27T23:00:00Z"))
                .isEqualTo(friday.now());
        assertThat(afterAWeekend(CatchUp.ALL)).containsExactly("2026-11-26", "2026-11-27", "2026-11-30");
        assertThat(afterAWeekend(CatchUp.NONE)).containsExactly("2026-11-30");
    }

    /** Returns the events after a downtime from the Thursday to the Sunday. */
    private List<String> afterAWeekend(CatchUp catchUp) {
        passed.clear();
        try (TimerKit kit = kit(Instant.parse("2026-11-25T08:00:00Z"), time(catchUp))) {
            kit.advance(Duration.ofDays(1));
            kit.node(0).close();
            kit.advance(Duration.ofDays(3));
            kit.node(0).restart();
            kit.advance(Duration.ofDays(2));
        }
        return passed.stream().map(each -> each.date().toString()).toList();
    }

    @Test
    void aHolidayThatIsDeclaredLaterCountsAtOnce() {
        Set<LocalDate> holidays = ConcurrentHashMap.newKeySet();
        WorkingDays days = CalendarRules.in(BERLIN).workingDays(holidays::contains);
        PassageOfTime.Builder time =
                PassageOfTime.builder().workingDays(days).on(WorkingDayHasPassed.class, "days", passed::add);
        try (TimerKit kit = kit(Instant.parse("2026-11-23T08:00:00Z"), time)) {
            kit.advance(Duration.ofDays(1));
            holidays.add(LocalDate.parse("2026-11-24"));
            kit.advance(Duration.ofDays(2));
        }
        assertThat(passed).extracting(each -> each.date().toString()).containsExactly("2026-11-23", "2026-11-25");
    }

    @Test
    void holidaysThatFailAreAFailureOfTheHandlerAndAreAskedAgain() {
        List<LocalDate> asked = new ArrayList<>();
        WorkingDays days = CalendarRules.in(BERLIN).workingDays(date -> {
            asked.add(date);
            if (asked.size() == 1) {
                throw new IllegalStateException("no calendar");
            }
            return false;
        });
        PassageOfTime.Builder time = PassageOfTime.builder()
                .workingDays(days)
                .on(WorkingDayHasPassed.class, "working", passed::add)
                .zone(BERLIN)
                .on(DayHasPassed.class, "working", tell());
        try (TimerKit kit = kit(Instant.parse("2026-11-23T08:00:00Z"), time)) {
            kit.advance(Duration.ofDays(1));
        }
        assertThat(asked).containsExactly(LocalDate.parse("2026-11-23"), LocalDate.parse("2026-11-23"));
        assertThat(passed).hasSize(1);
        assertThat(told).containsExactly("DayHasPassed 2026-11-23T23:00:00Z");
    }

    @Test
    void aPublisherGetsWorkingDaysOnly() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        PassageOfTime.Builder time =
                PassageOfTime.builder().workingDays(DAYS).publish("days", publisher, WorkingDayHasPassed.class);
        try (TimerKit kit = kit(Instant.parse("2026-11-27T08:00:00Z"), time)) {
            kit.advance(Duration.ofDays(4));
        }
        assertThat(publisher.delivered())
                .extracting(each -> each.type() + " " + TimeHasPassed.from(each).now())
                .containsExactly(
                        "WorkingDayHasPassed 2026-11-27T23:00:00Z", "WorkingDayHasPassed 2026-11-30T23:00:00Z");
    }

    @Test
    void workingDaysMustBeGivenFirst() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PassageOfTime.builder().on(WorkingDayHasPassed.class, "days", passed::add))
                .withMessage("workingDays must be set before WorkingDayHasPassed is subscribed");
    }

    /** Five weeks with random holidays around a change of the clock, through downtimes: each working day once. */
    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia"})
    void withAllEachWorkingDayComesOnceInOrder(String zoneId) {
        ZoneId zone = ZoneId.of(zoneId);
        for (String start : List.of("2011-12-12T06:00:00Z", "2017-10-02T06:00:00Z", "2018-03-12T06:00:00Z")) {
            Random random = new Random(zoneId.hashCode() + start.hashCode());
            Set<LocalDate> holidays = IntStream.range(0, 10)
                    .mapToObj(i -> LocalDate.parse(start.substring(0, 10)).plusDays(random.nextInt(35)))
                    .collect(Collectors.toSet());
            WorkingDays days = CalendarRules.in(zone).workingDays(Holidays.on(holidays));
            passed.clear();
            Instant begin = Instant.parse(start);
            Instant end = begin.plus(Duration.ofDays(35));
            PassageOfTime.Builder time = PassageOfTime.builder()
                    .workingDays(days)
                    .on(WorkingDayHasPassed.class, "days", CatchUp.ALL, passed::add);
            try (TimerKit kit = kit(begin, time)) {
                for (int i = 0; i < 5; i++) {
                    kit.advance(Duration.ofDays(5));
                    kit.node(0).close();
                    kit.advance(Duration.ofDays(2));
                    kit.node(0).restart();
                }
                kit.advance(Duration.ofMinutes(1));
            }
            List<LocalDate> expected = new ArrayList<>();
            for (Instant at = begin; !at.isAfter(end); at = at.plusSeconds(1_800)) {
                LocalDate date = at.atZone(zone).toLocalDate();
                LocalDate before = at.minusSeconds(1_800).atZone(zone).toLocalDate();
                boolean isFree = before.getDayOfWeek().getValue() > 5 || holidays.contains(before);
                if (!date.equals(before) && at.isAfter(begin) && !isFree) {
                    expected.add(before);
                }
            }
            assertThat(passed)
                    .extracting(WorkingDayHasPassed::date)
                    .as("%s from %s", zone, start)
                    .isEqualTo(expected);
        }
    }

    private PassageOfTime.Builder time(CatchUp catchUp) {
        return PassageOfTime.builder().workingDays(DAYS).on(WorkingDayHasPassed.class, "days", catchUp, passed::add);
    }
}
