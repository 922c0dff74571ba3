package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.WeekHasPassed;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of ticks when another version of the program is deployed. */
class PassageOfTimeDeployTest extends DeployKit {
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
    void aTickIsDeliveredByTheNodeThatKnowsIt() {
        KitNode old = deploy(minutes());
        KitNode newer = deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(61));
        old.close();
        kit.advance(Duration.ofSeconds(30));

        assertThat(told.stream().filter(each -> each.startsWith("hour"))).containsExactly("hour " + minute(60));
        assertThat(newer.isCrashed()).isFalse();
    }

    @Test
    void aTickOfAnOldNodesShardSurvivesAShortDeploy() {
        // The old node owns all shards. The new node starts later and gets its share. Each subscription has one shard.
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
    void aChangedTickTakesItsNewTimes() {
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
    void aNewCatchUpKeepsThePeriodMissedDuringTheDeploy() {
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
    void aTickCancelledByAnOperatorReturnsWithinAMinute() {
        deploy(minutes());
        kit.advance(Duration.ofSeconds(90));
        kit.node(1).scheduler().cancel(TimerKey.of("duetime", "passage/minutes/1-minute/UTC"));
        kit.advance(Duration.ofSeconds(60));

        assertThat(tick("passage/minutes/1-minute/UTC"))
                .hasValueSatisfying(minutes -> assertThat(minutes.state()).isEqualTo(TimerState.SCHEDULED));
    }

    @Test
    void operatorsSeeTicksAndTheirLastPeriods() {
        deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(3));

        assertThat(kit.node(1).scheduler().admin().query(TimerQuery.all().queue("passage")))
                .extracting(each -> each.key().timerId(), each -> each.content().recurrence(), StoredTimer::previousAt)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("passage/hours/2-hour/UTC", "hour UTC", null),
                        org.assertj.core.groups.Tuple.tuple("passage/minutes/1-minute/UTC", "minute UTC", minute(3)));
    }
}
