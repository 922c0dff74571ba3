package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of which events subscribers to the passage of time get, and when. */
class PassageOfTimeTest extends PassageKit {
    @Test
    void twoNodesDeliverEachPeriodOnce() {
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
    void anEventNamesTheOneBefore() {
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
    void anEventIsGivenUpAfterItsAttemptsAndTheNextComes() {
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

    @Test
    void anUneventfulMinuteCostsOneRead() {
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
