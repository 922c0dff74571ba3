package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of occurrences that were due while no node ran. */
class CatchUpTest extends CatchUpKit {
    @Test
    void theLatestComesAndNamesTheLastDelivered() {
        schedule("a", EVERY_TEN);
        kit.advance(Duration.ofMinutes(10));

        down(Duration.ofMinutes(45));
        kit.advance(Duration.ofMinutes(5));

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(50), minute(60));
        assertThat(previous("a")).containsExactly(null, minute(10), minute(50));
        assertThat(kit.delivered("a").get(1).event().reachedAt()).isEqualTo(minute(55));
        assertThat(listener.skipped).extracting(StoredTimer::dueAt).containsExactly(minute(20));
    }

    @ParameterizedTest
    @EnumSource(
            value = CatchUp.class,
            names = {"LATEST", "NONE"})
    void occurrencesMissedDuringADeliveryAreReported(CatchUp catchUp) {
        schedule("a", EVERY_TEN.catchUp(catchUp));
        kit.publisher().onEach(envelope -> {
            kit.publisher().onEach(each -> {});
            kit.clock().linger(Duration.ofMinutes(30).plusSeconds(30));
        });

        kit.advance(Duration.ofMinutes(41));

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(40));
        assertThat(previous("a")).containsExactly(null, minute(10));
        assertThat(listener.skipped).extracting(StoredTimer::dueAt).containsExactly(minute(20));
    }

    @Test
    void aSkippedLastOccurrenceIsDeletedWithoutRetention() {
        try (TimerKit forgetful = TimerKit.builder()
                .configure(scheduler -> scheduler.retention(Duration.ZERO).listener(listener))
                .build()) {
            forgetful
                    .scheduler()
                    .schedule(Timer.recurring(
                                    "a",
                                    Recurrence.every(Duration.ofDays(3_650_000), minute(1))
                                            .catchUp(CatchUp.NONE))
                            .build());
            forgetful.node(0).close();
            forgetful.advance(Duration.ofMinutes(5));
            forgetful.node(0).restart();
            forgetful.runDue();

            assertThat(listener.skipped).hasSize(1);
            assertThat(forgetful.store().find(TimerKey.of("a"))).isEmpty();
        }
    }

    @Test
    void allComeInOrder() {
        schedule("a", EVERY_TEN.catchUp(CatchUp.ALL));
        kit.advance(Duration.ofMinutes(10));

        down(Duration.ofMinutes(45));

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(20), minute(30), minute(40), minute(50));
        assertThat(previous("a")).containsExactly(null, minute(10), minute(20), minute(30), minute(40));
        assertThat(listener.skipped).isEmpty();
    }

    @Test
    void noMissedOccurrenceComesWithNone() {
        schedule("a", EVERY_TEN.catchUp(CatchUp.NONE));
        kit.advance(Duration.ofMinutes(10));

        down(Duration.ofMinutes(45));
        assertThat(stored("a").dueAt()).isEqualTo(minute(60));
        kit.advance(Duration.ofMinutes(5));

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(60));
        assertThat(previous("a")).containsExactly(null, minute(10));
    }

    @Test
    void anOccurrenceIsMissedAfterAMinute() {
        schedule("a", EVERY_TEN.catchUp(CatchUp.NONE));
        kit.advance(Duration.ofMinutes(9));
        down(Duration.ofMinutes(2));
        assertThat(dueTimes("a")).containsExactly(minute(10));

        kit.advance(Duration.ofMinutes(8));
        down(Duration.ofMinutes(2).plusNanos(1_000));
        assertThat(dueTimes("a")).containsExactly(minute(10));
        assertThat(stored("a").dueAt()).isEqualTo(minute(30));
    }

    @Test
    void aShortPeriodIsMissedOnlyAfterItsEnd() {
        schedule("a", Recurrence.every(Duration.ofSeconds(10)).catchUp(CatchUp.NONE));
        kit.advance(Duration.ofSeconds(10));

        down(Duration.ofSeconds(39));

        assertThat(dueTimes("a")).containsExactly(START.plusSeconds(10), START.plusSeconds(40));
    }

    @Test
    void aFailedOccurrenceIsNotMissed() {
        schedule("a", EVERY_TEN.catchUp(CatchUp.NONE));
        schedule("other", Recurrence.every(Duration.ofSeconds(1)));
        kit.publisher()
                .failOn(each -> each.key().timerId().equals("a")
                        && each.event().reachedAt().isBefore(minute(13)));

        kit.advance(Duration.ofMinutes(20));

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(20));
    }

    @Test
    void theLatestReplacesAFailingOccurrence() {
        schedule("a", EVERY_TEN);
        schedule("other", Recurrence.every(Duration.ofSeconds(1)));
        kit.publisher()
                .failOn(each ->
                        each.key().timerId().equals("a") && each.event().dueAt().isBefore(minute(25)));

        kit.advance(Duration.ofMinutes(30));

        assertThat(dueTimes("a")).containsExactly(minute(30));
        assertThat(previous("a")).containsExactly((Instant) null);
    }

    /** A process may die in each store call of a turn. */
    @ParameterizedTest
    @EnumSource(
            value = StoreCall.class,
            names = {"DUE", "NEXT_DUE", "SETTLE"})
    void noOccurrenceIsLostByACrash(StoreCall call) {
        List<Consumer<KitNode>> crashes =
                List.of(node -> node.crashBefore(call), node -> node.crashAfter(call), node -> node.failAfter(call));
        for (Consumer<KitNode> crash : crashes) {
            for (int calls = 0; calls < 4; calls++) {
                try (TimerKit cluster = TimerKit.builder().nodes(2).build()) {
                    cluster.scheduler()
                            .schedule(Timer.recurring("a", EVERY_TEN.catchUp(CatchUp.ALL))
                                    .build());
                    cluster.advance(Duration.ofMinutes(9).plusSeconds(calls * 20L));
                    cluster.nodes().forEach(crash);
                    cluster.advance(Duration.ofMinutes(41));
                    cluster.nodes().forEach(KitNode::restart);
                    cluster.advance(Duration.ofMinutes(10));

                    List<DueTimeReached> events =
                            cluster.delivered("a").stream().map(Envelope::event).toList();
                    assertThat(events.stream().map(DueTimeReached::dueAt).distinct())
                            .startsWith(minute(10), minute(20), minute(30), minute(40), minute(50))
                            .isSorted();
                    repeatsAreEqual(cluster);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CatchUp.class)
    void aRepeatOfADeliveryHasTheSameIdAndContent(CatchUp catchUp) {
        schedule("a", EVERY_TEN.catchUp(catchUp));
        kit.advance(Duration.ofMinutes(10));
        kit.node(0).close();
        kit.advance(Duration.ofMinutes(catchUp == CatchUp.NONE ? 10 : 45));
        kit.node(0).restart();
        // The last settle before a delivery may belong to skipped occurrences. The settle after it belongs to the
        // delivery.
        List<Envelope> published = new ArrayList<>();
        kit.publisher().onEach(envelope -> {
            published.add(envelope);
            kit.node(0).crashBefore(StoreCall.SETTLE);
        });
        kit.runDue();
        assertThat(published).hasSize(1);
        kit.publisher().onEach(published::add);
        kit.advance(Duration.ofMinutes(catchUp == CatchUp.NONE ? 0 : 1));
        kit.node(0).restart();
        kit.runDue();

        assertThat(published.get(1).id()).isEqualTo(published.get(0).id());
        repeatsAreEqual(kit);
    }

    @Test
    void aReplacingOccurrenceHasAnotherEnvelopeId() {
        schedule("a", EVERY_TEN);
        kit.advance(Duration.ofMinutes(10));
        kit.node(0).close();
        kit.advance(Duration.ofMinutes(35));
        kit.node(0).restart();
        kit.publisher().onEach(envelope -> kit.node(0).crashBefore(StoreCall.SETTLE));
        kit.runDue();
        kit.publisher().onEach(envelope -> {});
        kit.advance(Duration.ofMinutes(10));
        kit.node(0).restart();
        kit.runDue();

        assertThat(dueTimes("a")).containsExactly(minute(10), minute(40), minute(50));
        assertThat(previous("a")).containsExactly(null, minute(10), minute(10));
        assertThat(kit.delivered("a")).extracting(Envelope::id).doesNotHaveDuplicates();
    }
}
