package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CatchUp;
import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.WeekHasPassed;
import dev.duetime.store.NewTimer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Specifies what becomes of ticks when another version of the program is deployed. */
class PassageOfTimeDeployTest {
    private static final Instant START = TestClock.START;

    private final List<String> told = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder().notStarted().build();

    @AfterEach
    void close() {
        kit.close();
    }

    private KitNode deploy(PassageOfTime.Builder time) {
        PassageOfTime built = time.build();
        KitNode node = kit.addNode(scheduler -> scheduler.extension(built));
        kit.runDue();
        return node;
    }

    private PassageOfTime.Builder minutes() {
        return PassageOfTime.builder().on(MinuteHasPassed.class, "minutes", event -> told.add("minute " + event.now()));
    }

    private PassageOfTime.Builder minutesAndHours() {
        return minutes().on(HourHasPassed.class, "hours", event -> told.add("hour " + event.now()));
    }

    private Optional<StoredTimer> tick(String id) {
        return kit.store().find(TimerKey.of("duetime", id));
    }

    private static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    @Test
    void aTickThatIsAddedBeginsWithItsNextPeriod() {
        KitNode old = deploy(minutes());
        kit.advance(Duration.ofMinutes(90));
        told.clear();
        old.close();
        deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(30));

        assertThat(told)
                .contains("hour " + minute(120))
                .doesNotContain("hour " + minute(60))
                .hasSize(31);
    }

    @Test
    void aTickThatIsRemovedIsLeftAloneAndThenCancelled() {
        KitNode old = deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(50));
        old.close();
        told.clear();
        deploy(minutes());

        kit.advance(Duration.ofMinutes(65));
        assertThat(tick("passage/hours/2-hour/UTC")).hasValueSatisfying(hours -> {
            assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(hours.dueAt()).isEqualTo(minute(60));
            assertThat(hours.attempt()).isZero();
            assertThat(hours.failure()).isNull();
        });
        kit.advance(Duration.ofHours(23));
        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
        kit.advance(Duration.ofMinutes(8));
        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.CANCELLED));
        assertThat(told).hasSize(23 * 60 + 73).noneMatch(each -> each.startsWith("hour"));
    }

    @Test
    void aTickThatStillHasANodeThatKnowsItComesThere() {
        KitNode old = deploy(minutes());
        KitNode newer = deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(61));
        old.close();
        kit.advance(Duration.ofSeconds(30));

        assertThat(told.stream().filter(each -> each.startsWith("hour"))).containsExactly("hour " + minute(60));
        assertThat(newer.isCrashed()).isFalse();
    }

    @Test
    void aTickThatOnlyAnOldNodeOwnsSurvivesADeployThatIsShorterThanItsGrace() {
        // Owns all shards: the new node comes when they are taken, and gets its share; one subscription has one shard.
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            told.clear();
            try (TimerKit cluster = TimerKit.builder().notStarted().build()) {
                PassageOfTime before = PassageOfTime.builder()
                        .on(MinuteHasPassed.class, "minutes", event -> {})
                        .build();
                PassageOfTime after = PassageOfTime.builder()
                        .on(MinuteHasPassed.class, "minutes", event -> {})
                        .on(HourHasPassed.class, name, event -> told.add(name + " " + event.now()))
                        .build();
                KitNode old = cluster.addNode(scheduler -> scheduler.extension(before));
                cluster.runDue();
                cluster.addNode(scheduler -> scheduler.extension(after));
                cluster.advance(Duration.ofMinutes(70));
                old.close();
                cluster.advance(Duration.ofMinutes(1));
                assertThat(told).containsExactly(name + " " + minute(60));
            }
        }
    }

    @Test
    void aTickThatOnlyAnOldNodeOwnsLosesNoPeriodInALongDeploy() {
        KitNode first = deploy(minutesAndAllHours(event -> {}));
        first.close();
        KitNode old = deploy(minutes());
        KitNode newer = deploy(minutesAndAllHours(event -> told.add("hour " + event.now())));
        newer.storeDown(PassageOfTimeDeployTest::leases);
        kit.advance(Duration.ofHours(20));
        newer.storeUp();
        old.close();
        kit.advance(Duration.ofMinutes(1));

        assertThat(told.stream().filter(each -> each.startsWith("hour")))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                        .mapToObj(hour -> "hour " + minute(60L * hour))
                        .toList());
    }

    private PassageOfTime.Builder minutesAndAllHours(PassageOfTime.Handler<HourHasPassed> handler) {
        return minutes()
                .retry(RetryPolicy.fixed(Duration.ofMinutes(10)))
                .on(HourHasPassed.class, "hours", CatchUp.ALL, handler);
    }

    private static boolean leases(StoreCall call) {
        return call == StoreCall.ACQUIRE || call == StoreCall.RENEW;
    }

    /** Returns a node that has been putting off the tick of the first hour for a minute and was relieved of it then. */
    private KitNode relieved() {
        KitNode first = deploy(minutesAndAllHours(event -> {}));
        first.close();
        KitNode old = deploy(minutes());
        kit.advance(Duration.ofMinutes(61));
        old.storeDown(PassageOfTimeDeployTest::leases);
        return old;
    }

    @Test
    void aTickThatANodeKnowsButFailsToDeliverIsNotCancelledByOneThatDoesNotKnowIt() {
        relieved();
        deploy(minutesAndAllHours(event -> {
            throw new IOException("not yet");
        }));
        kit.advance(Duration.ofHours(25));

        assertThat(tick("passage/hours/2-hour/UTC")).hasValueSatisfying(hours -> {
            assertThat(hours.dueAt()).isEqualTo(minute(60));
            assertThat(hours.attempt()).isGreaterThan(100);
        });
    }

    @Test
    void aTickThatComesBackFromANodeThatFailedToDeliverItBeginsItsGraceAnew() {
        KitNode old = relieved();
        KitNode newer = deploy(minutesAndAllHours(event -> {
            throw new IOException("not yet");
        }));
        kit.advance(Duration.ofHours(23));
        newer.close();
        old.storeUp();
        kit.advance(Duration.ofHours(2));

        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
    }

    @Test
    void aTickThatIsDeclaredAnewWhileItIsGivenUpIsNotCancelled() {
        DeclaredAnew store = new DeclaredAnew();
        PassageOfTime both = minutesAndHours().build();
        PassageOfTime one = minutes().build();
        try (TimerKit cluster = TimerKit.builder().store(store).notStarted().build()) {
            KitNode newer = cluster.addNode(scheduler -> scheduler.extension(both));
            cluster.runDue();
            newer.close();
            cluster.addNode(scheduler -> scheduler.extension(one));
            cluster.advance(Duration.ofHours(24));
            store.after = cluster.now();
            cluster.advance(Duration.ofHours(2));
            assertThat(store.find(DeclaredAnew.HOURS))
                    .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
        }
    }

    /** Lets another node declare a tick anew, in other words, between any read of this one and what follows from it. */
    private static final class DeclaredAnew extends PassThroughStore {
        static final TimerKey HOURS = TimerKey.of("duetime", "passage/hours/2-hour/UTC");

        private Instant after = Instant.MAX;
        private long generation = 1;

        DeclaredAnew() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public List<StoredTimer> query(TimerQuery query) {
            List<StoredTimer> read = super.query(query);
            read.stream()
                    .filter(each -> each.key().equals(HOURS) && after.isBefore(Instant.MAX))
                    .forEach(this::declareAnew);
            return read;
        }

        private void declareAnew(StoredTimer hours) {
            generation++;
            Payload other = Payload.of(("other words " + generation).getBytes(StandardCharsets.UTF_8));
            schedule(List.of(
                    new NewTimer(HOURS, hours.shard(), hours.content().withPayload(other), generation, after, true)));
        }
    }

    @Test
    void aTickThatRecursOtherwiseTakesItsNewTimes() {
        KitNode old = deploy(
                PassageOfTime.builder().on(WeekHasPassed.class, "weeks", event -> told.add("old " + event.now())));
        assertThat(tick("passage/weeks/4-week/UTC"))
                .hasValueSatisfying(week -> assertThat(week.dueAt()).isEqualTo(Instant.parse("2030-01-07T00:00:00Z")));
        old.close();
        deploy(PassageOfTime.builder()
                .firstDayOfWeek(DayOfWeek.SUNDAY)
                .on(WeekHasPassed.class, "weeks", event -> told.add("new " + event.now())));

        kit.advance(Duration.ofDays(7));

        assertThat(told).containsExactly("new 2030-01-06T00:00:00Z");
    }

    @Test
    void aNewWayToCatchUpDoesNotLoseThePeriodThatPassedDuringTheDeploy() {
        KitNode old = deploy(
                PassageOfTime.builder().on(DayHasPassed.class, "days", event -> told.add("old " + event.date())));
        kit.advance(Duration.ofHours(23));
        old.close();
        kit.advance(Duration.ofHours(2));
        deploy(PassageOfTime.builder()
                .on(DayHasPassed.class, "days", CatchUp.ALL, event -> told.add("new " + event.date())));

        assertThat(told).containsExactly("new 2030-01-01");
    }

    @Test
    void aTickThatAnOperatorCancelsComesBackWithinAMinute() {
        deploy(minutes());
        kit.advance(Duration.ofSeconds(90));
        kit.node(1).scheduler().cancel(TimerKey.of("duetime", "passage/minutes/1-minute/UTC"));
        kit.advance(Duration.ofSeconds(60));

        assertThat(tick("passage/minutes/1-minute/UTC"))
                .hasValueSatisfying(minutes -> assertThat(minutes.state()).isEqualTo(TimerState.SCHEDULED));
    }

    @Test
    void operatorsSeeWhatTicksAndWhatWasTold() {
        deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(3));

        assertThat(kit.node(1).scheduler().admin().query(TimerQuery.all().queue("passage")))
                .extracting(each -> each.key().timerId(), each -> each.content().recurrence(), StoredTimer::previousAt)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("passage/hours/2-hour/UTC", "hour UTC", null),
                        org.assertj.core.groups.Tuple.tuple("passage/minutes/1-minute/UTC", "minute UTC", minute(3)));
    }
}
