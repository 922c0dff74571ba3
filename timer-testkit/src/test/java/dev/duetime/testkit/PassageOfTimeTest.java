package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.CatchUp;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Specifies what subscribers to the passage of time are told, and when. */
class PassageOfTimeTest {
    private static final Instant START = TestClock.START;
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final List<String> told = new ArrayList<>();

    private static TimerKit kit(PassageOfTime.Builder time) {
        return kit(START, time);
    }

    private static TimerKit kit(Instant start, PassageOfTime.Builder time) {
        PassageOfTime built = time.build();
        return TimerKit.builder()
                .startTime(start)
                .configure(scheduler -> scheduler.extension(built))
                .build();
    }

    private <E extends TimeHasPassed> PassageOfTime.Handler<E> tell() {
        return event -> told.add(event.type() + " " + event.now());
    }

    private static List<StoredTimer> ticks(TimerKit kit) {
        return kit.store().query(TimerQuery.all().tenantId("duetime"));
    }

    private static StoredTimer tick(TimerKit kit, String id) {
        return kit.store().find(TimerKey.of("duetime", id)).orElseThrow();
    }

    private static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

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
    void theOrderIsKeptAcrossAMidnightThatNobodyWasThereFor() {
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
    void twoNodesTellEachPeriodOnce() {
        PassageOfTime.Builder time =
                PassageOfTime.builder().on(MinuteHasPassed.class, "a", tell()).on(MinuteHasPassed.class, "b", tell());
        try (TimerKit kit = kit(time)) {
            kit.addNode();
            kit.addNode();
            kit.advance(Duration.ofMinutes(10));
            kit.node(0).close();
            kit.advance(Duration.ofMinutes(10));
        }
        Map<String, Integer> times = new TreeMap<>();
        told.forEach(each -> times.merge(each, 1, Integer::sum));
        assertThat(times)
                .hasSize(20)
                .allSatisfy((event, count) -> assertThat(count).isEqualTo(2));
    }

    @Test
    void anEventTellsOfTheOneBefore() {
        List<MinuteHasPassed> events = new ArrayList<>();
        try (TimerKit kit = kit(PassageOfTime.builder().on(MinuteHasPassed.class, "a", events::add))) {
            kit.advance(Duration.ofMinutes(2));
        }
        assertThat(events).extracting(MinuteHasPassed::now).containsExactly(minute(1), minute(2));
        assertThat(events).extracting(MinuteHasPassed::previous).containsExactly(null, minute(1));
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreCall.class,
            names = {"DUE", "NEXT_DUE", "SETTLE", "QUERY"})
    void aProcessThatIsKilledAtABoundaryLosesNoPeriod(StoreCall call) {
        for (boolean before : new boolean[] {true, false}) {
            told.clear();
            PassageOfTime.Builder time = PassageOfTime.builder().on(MinuteHasPassed.class, "a", CatchUp.ALL, tell());
            try (TimerKit kit = kit(time)) {
                kit.advance(Duration.ofSeconds(59));
                if (before) {
                    kit.node(0).crashBefore(call);
                } else {
                    kit.node(0).crashAfter(call);
                }
                kit.advance(Duration.ofSeconds(150));
                assertThat(kit.node(0).isCrashed()).isTrue();
                kit.node(0).restart();
                kit.advance(Duration.ofSeconds(60));
                assertThat(told.stream().distinct())
                        .containsExactly(
                                "MinuteHasPassed " + minute(1),
                                "MinuteHasPassed " + minute(2),
                                "MinuteHasPassed " + minute(3),
                                "MinuteHasPassed " + minute(4));
                assertThat(told.size()).isLessThanOrEqualTo(5);
            }
        }
    }

    @Test
    void afterADowntimeTheLatestComesUnlessAllOrNoneAreWanted() {
        PassageOfTime.Builder time = PassageOfTime.builder()
                .on(
                        HourHasPassed.class,
                        "latest",
                        event -> told.add("latest " + event.now() + " after " + event.previous()))
                .on(HourHasPassed.class, "all", CatchUp.ALL, event -> told.add("all " + event.now()))
                .on(HourHasPassed.class, "none", CatchUp.NONE, event -> told.add("none " + event.now()));
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofMinutes(60));
            told.clear();
            kit.node(0).close();
            kit.advance(Duration.ofMinutes(185));
            kit.node(0).restart();
            kit.runDue();
            assertThat(told)
                    .containsExactlyInAnyOrder(
                            "latest " + minute(240) + " after " + minute(60),
                            "all " + minute(120),
                            "all " + minute(180),
                            "all " + minute(240));
        }
    }

    @Test
    void aHandlerThatFailsNeitherStopsAnotherNorMakesItRunTwice() {
        List<Integer> attempts = new ArrayList<>();
        PassageOfTime.Builder time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "fails", event -> {
                    attempts.add(1);
                    if (event.now().equals(minute(1)) && attempts.size() < 4) {
                        throw new IOException("not yet");
                    }
                    told.add("fails " + event.now());
                })
                .on(MinuteHasPassed.class, "before", event -> told.add("before " + event.now()))
                .on(MinuteHasPassed.class, "works", event -> told.add("works " + event.now()));
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofSeconds(119));
            assertThat(told)
                    .containsExactlyInAnyOrder("before " + minute(1), "works " + minute(1), "fails " + minute(1));
            assertThat(attempts).hasSize(4);
        }
    }

    @Test
    void whatAHandlerCannotDoIsGivenUpAndTheNextPeriodComes() {
        PassageOfTime.Builder time = PassageOfTime.builder().on(DayHasPassed.class, "reports", CatchUp.ALL, event -> {
            if (event.now().equals(minute(24 * 60))) {
                throw new AssertionError("never on this day");
            }
            told.add("day " + event.now() + " after " + event.previous());
        });
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(36));
            assertThat(tick(kit, "passage/reports/3-day/UTC").failure())
                    .extracting(Failure::error)
                    .isEqualTo("java.lang.AssertionError: never on this day");
            kit.advance(Duration.ofHours(12));
            assertThat(told).containsExactly("day " + minute(48 * 60) + " after null");
        }
    }

    private PassageOfTime.Builder hoursAndDaysOfBerlin() {
        return PassageOfTime.builder()
                .zone(BERLIN)
                .on(HourHasPassed.class, "hours", event -> told.add(event.time() + " until " + event.end()))
                .on(
                        DayHasPassed.class,
                        "days",
                        event -> told.add(event.date() + " of "
                                + Duration.between(event.start(), event.end()).toHours() + " hours"));
    }

    @Test
    void theHourThatIsSkippedInMarchIsNotTold() {
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
    void theHourThatIsRepeatedInOctoberIsToldTwice() {
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
    void severalZonesStandSideBySide() {
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
    void theShorterComesFirstInWhateverZonesAndIntervalsBeforeAll() {
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
    void intervalsPassTooWhateverTheCalendarSays() {
        PassageOfTime.Builder time =
                PassageOfTime.builder().every(Duration.ofSeconds(30), "poll", event -> told.add("poll " + event.now()));
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofSeconds(60));
            assertThat(told).containsExactly("poll " + START.plusSeconds(30), "poll " + START.plusSeconds(60));
        }
    }

    @Test
    void eventsArePublishedAsEnvelopesWithJson() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publish("ticks", publisher, MinuteHasPassed.class, HourHasPassed.class);
        try (TimerKit kit = kit(START.plus(Duration.ofMinutes(58)), time)) {
            kit.advance(Duration.ofMinutes(2));
            assertThat(publisher.delivered())
                    .extracting(each -> each.type())
                    .containsExactly("MinuteHasPassed", "MinuteHasPassed", "HourHasPassed");
            assertThat(publisher.delivered()).extracting(each -> each.id()).doesNotHaveDuplicates();
            TimeHasPassed hour = TimeHasPassed.from(publisher.delivered().get(2));
            assertThat(hour).isInstanceOf(HourHasPassed.class);
            assertThat(hour.now()).isEqualTo(minute(60));
        }
    }

    @Test
    void intervalsArePublishedToo() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        PassageOfTime.Builder time = PassageOfTime.builder()
                .publishEvery(Duration.ofSeconds(30), "ticks", publisher)
                .publishEvery(Duration.ofSeconds(40), "all-ticks", CatchUp.ALL, publisher);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofSeconds(40));
            assertThat(publisher.delivered())
                    .extracting(
                            each -> each.type() + " " + TimeHasPassed.from(each).now())
                    .containsExactly(
                            "IntervalHasPassed " + START.plusSeconds(30), "IntervalHasPassed " + START.plusSeconds(40));
            publisher.clear();
            kit.node(0).close();
            kit.advance(Duration.ofMinutes(2));
            kit.node(0).restart();
            kit.runDue();
            assertThat(publisher.delivered())
                    .extracting(each -> TimeHasPassed.from(each).now())
                    .containsExactlyInAnyOrder(
                            START.plusSeconds(80),
                            START.plusSeconds(120),
                            START.plusSeconds(150),
                            START.plusSeconds(160));
        }
    }

    @Test
    void anIntervalThatIsPublishedIsTriedWithoutEnd() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.failAlways();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publishEvery(Duration.ofHours(24), "ticks", CatchUp.ALL, publisher);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(40));
            publisher.recover();
            kit.advance(Duration.ofMinutes(5));
            assertThat(publisher.delivered()).hasSize(1);
        }
    }

    @Test
    void aPublisherIsTriedWithoutEnd() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.failAlways();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publish("ticks", CatchUp.ALL, publisher, DayHasPassed.class);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(40));
            assertThat(publisher.delivered()).isEmpty();
            publisher.recover();
            kit.advance(Duration.ofMinutes(5));
            assertThat(publisher.delivered())
                    .singleElement()
                    .satisfies(each -> assertThat(each.event().dueAt()).isEqualTo(minute(24 * 60)));
        }
    }

    @Test
    void whereAllIsWellAMinuteCostsOneReadAndNothingIsWritten() {
        PassageOfTime.Builder time = PassageOfTime.builder().on(TimeHasPassed.class, "all", tell());
        try (TimerKit kit = kit(time)) {
            List<StoredTimer> before = ticks(kit);
            int reads = kit.node(0).calls(StoreCall.QUERY);
            int schedules = kit.node(0).calls(StoreCall.SCHEDULE);
            kit.advance(Duration.ofSeconds(59));
            assertThat(kit.node(0).calls(StoreCall.QUERY)).isEqualTo(reads);
            assertThat(ticks(kit)).isEqualTo(before);
            kit.advance(Duration.ofMinutes(10));
            assertThat(kit.node(0).calls(StoreCall.QUERY)).isEqualTo(reads + 10);
            assertThat(kit.node(0).calls(StoreCall.SCHEDULE)).isEqualTo(schedules);
        }
    }

    @Test
    void nothingSubscribedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PassageOfTime.builder().build())
                .withMessage("number of subscriptions must be at least 1 but was 0");
    }

    @Test
    void aNameWithASlashIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PassageOfTime.builder().on(DayHasPassed.class, "a/b", tell()))
                .withMessage("name must have no slashes but was a/b");
    }

    @Test
    void aNameSubscribesToAKindOfEventOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PassageOfTime.builder()
                        .on(DayHasPassed.class, "a", tell())
                        .on(TimeHasPassed.class, "a", tell()))
                .withMessageContaining("name must subscribe to a kind of event once but does so again: a/3-day/UTC");
    }

    @Test
    void oneQueueHasOnePassageOfTime() {
        PassageOfTime time =
                PassageOfTime.builder().on(DayHasPassed.class, "a", tell()).build();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> dev.duetime.Scheduler.builder().extension(time).extension(time))
                .withMessage("extension must be added once but was again: passage of time on queue passage");
    }
}
