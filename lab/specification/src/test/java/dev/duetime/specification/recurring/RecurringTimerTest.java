package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.CancelResult;
import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.NewTimer;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of recurring timers: each occurrence is delivered as a timer of its own, and the next one follows. */
class RecurringTimerTest extends RecurringKit {
    @Test
    void everyOccurrenceIsDeliveredAtItsTimeAndNamesThePrevious() {
        schedule("a", EVERY_TEN, timer -> timer.payload("p"));

        kit.advance(Duration.ofMinutes(35));

        assertThat(kit.delivered("a"))
                .extracting(Envelope::event)
                .extracting(DueTimeReached::dueAt)
                .containsExactly(minute(10), minute(20), minute(30));
        assertThat(kit.delivered("a"))
                .extracting(Envelope::event)
                .extracting(DueTimeReached::reachedAt)
                .containsExactly(minute(10), minute(20), minute(30));
        assertThat(kit.delivered("a"))
                .extracting(Envelope::event)
                .extracting(DueTimeReached::previous)
                .containsExactly(null, minute(10), minute(20));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsOnly(1);
        assertThat(kit.delivered("a")).extracting(Envelope::id).doesNotHaveDuplicates();
    }

    @Test
    void theInstantOfTheScheduleItselfIsNotDelivered() {
        schedule("a", EVERY_TEN);

        assertThat(stored("a").dueAt()).isEqualTo(minute(10));
        kit.advance(TEN.minusNanos(1_000));
        assertThat(kit.delivered()).isEmpty();
    }

    @Test
    void aRecurringTimerStaysScheduledAndShowsItsOccurrence() {
        schedule("a", EVERY_TEN);
        kit.advance(Duration.ofMinutes(25));

        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("a").content().recurrence()).isEqualTo(EVERY_TEN.toString());
        assertThat(stored("a").dueAt()).isEqualTo(minute(30));
        assertThat(stored("a").wakeAt()).isEqualTo(minute(30));
        assertThat(stored("a").previousAt()).isEqualTo(minute(20));
        assertThat(stored("a").attempt()).isZero();
        assertThat(stored("a").settledAt()).isNull();
    }

    @Test
    void aRepeatOfTheScheduleIsUnchangedWheneverItComes() {
        schedule("a", EVERY_TEN);
        for (int i = 0; i < 4; i++) {
            kit.advance(Duration.ofMinutes(7));
            assertThat(schedule("a", Recurrence.every(TEN))).isEqualTo(ScheduleOutcome.UNCHANGED);
        }
        assertThat(dueTimes("a")).containsExactly(minute(10), minute(20));
    }

    @Test
    void aRepeatWhileAnOccurrenceIsOverdueIsUnchanged() {
        schedule("a", EVERY_TEN);
        kit.node(0).crash();
        kit.advance(Duration.ofMinutes(15));
        kit.node(0).restart();

        assertThat(schedule("a", EVERY_TEN)).isEqualTo(ScheduleOutcome.UNCHANGED);
        kit.advance(Duration.ofSeconds(20));

        assertThat(dueTimes("a")).containsExactly(minute(10));
    }

    @Test
    void anotherRuleTakesItsOwnNextInstant() {
        schedule("a", EVERY_TEN);
        kit.advance(Duration.ofMinutes(12));

        assertThat(schedule("a", Recurrence.every(Duration.ofMinutes(3)))).isEqualTo(ScheduleOutcome.RESCHEDULED);

        kit.advance(Duration.ofMinutes(4));
        assertThat(dueTimes("a")).containsExactly(minute(10), minute(15));
        assertThat(kit.delivered("a").get(1).event().previous()).isEqualTo(minute(10));
    }

    @Test
    void otherContentKeepsAnOverdueOccurrence() {
        schedule("a", EVERY_TEN);
        kit.node(0).crash();
        kit.advance(Duration.ofMinutes(15));
        kit.node(0).restart();

        assertThat(schedule("a", EVERY_TEN, timer -> timer.payload("new"))).isEqualTo(ScheduleOutcome.RESCHEDULED);
        kit.advance(Duration.ofSeconds(20));

        assertThat(kit.delivered("a")).singleElement().satisfies(envelope -> {
            assertThat(envelope.event().dueAt()).isEqualTo(minute(10));
            assertThat(envelope.event().payload().as(String.class)).isEqualTo("new");
        });
    }

    @Test
    void aCancelledTimerRecursNoMoreAndMayBeScheduledAgain() {
        schedule("a", EVERY_TEN);
        kit.advance(TEN);
        assertThat(kit.scheduler().cancel(TimerKey.of("a"))).isEqualTo(CancelResult.CANCELLED);
        kit.advance(Duration.ofMinutes(20));

        assertThat(dueTimes("a")).containsExactly(minute(10));
        assertThat(schedule("a", EVERY_TEN)).isEqualTo(ScheduleOutcome.CREATED);
        kit.advance(TEN);
        assertThat(dueTimes("a")).containsExactly(minute(10), minute(40));
        assertThat(kit.delivered("a").get(1).event().previous()).isNull();
    }

    @Test
    void aTimerCancelledDuringItsDeliveryRecursNoMore() {
        schedule("a", EVERY_TEN);
        kit.publisher()
                .onEach(envelope ->
                        assertThat(kit.scheduler().cancel(envelope.key())).isEqualTo(CancelResult.CANCELLED));
        kit.advance(Duration.ofMinutes(30));

        assertThat(dueTimes("a")).containsExactly(minute(10));
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(listener.overtaken).isEqualTo(1);
    }

    @Test
    void aTimerThatRecursNoMoreEndsAsReached() {
        schedule("a", Recurrence.every(Duration.ofDays(3_650_000), minute(1)));

        kit.advance(Duration.ofMinutes(1));

        assertThat(dueTimes("a")).containsExactly(minute(1));
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aTimerThatWillNeverRecurIsRefused() {
        Recurrence over = Recurrence.every(Duration.ofDays(3_650_000), START);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedule("a", over))
                .withMessageContaining("recurrence must have an instant after 2030-01-01T00:00:00Z but was")
                .withMessageContaining("timer default/a");
        assertThat(kit.store().find(TimerKey.of("a"))).isEmpty();
    }

    @Test
    void anAbsoluteDeadlineIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timer.recurring("a", EVERY_TEN).expiresAt(minute(1)))
                .withMessageContaining("expiresAt must not be given to a timer that recurs");
    }

    @Test
    void aRecurringTimerStaysAlthoughTheRetentionIsZero() {
        try (TimerKit forgetful = TimerKit.builder()
                .configure(scheduler -> scheduler.retention(Duration.ZERO))
                .build()) {
            forgetful.scheduler().schedule(Timer.recurring("a", EVERY_TEN).build());
            forgetful.advance(Duration.ofMinutes(25));
            assertThat(forgetful.delivered("a")).hasSize(2);
            assertThat(forgetful.store().find(TimerKey.of("a"))).isPresent();
        }
    }

    @Test
    void twoNodesDeliverEachOccurrenceOnce() {
        kit.addNode();
        for (int i = 0; i < 10; i++) {
            schedule("t" + i, EVERY_TEN);
        }
        kit.advance(Duration.ofMinutes(60));

        for (int i = 0; i < 10; i++) {
            assertThat(dueTimes("t" + i))
                    .containsExactly(minute(10), minute(20), minute(30), minute(40), minute(50), minute(60));
        }
    }

    @Test
    void anUnreadableRecurrenceIsLeftToOtherNodes() {
        kit.store().schedule(List.of(recurringBy("a", "moon Full")));
        long generation = stored("a").generation();
        kit.scheduler().schedule(Timer.at("wakes", minute(1)).build());

        kit.advance(Duration.ofMinutes(3));

        assertThat(kit.delivered("a")).isEmpty();
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("a").generation()).isEqualTo(generation);
        assertThat(stored("a").wakeAt()).isAfter(minute(3));
        assertThat(stored("a").attempt()).isZero();
    }

    private static NewTimer recurringBy(String timerId, String recurrence) {
        TimerContent content = new TimerContent(
                Timer.DEFAULT_QUEUE,
                minute(1),
                null,
                "test",
                Payload.NONE,
                Map.of(),
                0,
                null,
                null,
                null,
                recurrence,
                null,
                null);
        return new NewTimer(TimerKey.of(timerId), 0, content, 1_000_000, minute(0), false);
    }

    @Test
    void theShardOfARecurringTimerFollowsFromItsParallelKey() {
        for (int i = 0; i < 20; i++) {
            schedule("t" + i, EVERY_TEN, timer -> timer.parallelKey("together"));
        }
        assertThat(kit.store().query(TimerQuery.all()))
                .hasSize(20)
                .extracting(StoredTimer::shard)
                .containsOnly(stored("t0").shard());
    }

    @Test
    void aNewCatchUpReschedules() {
        schedule("a", EVERY_TEN);

        assertThat(schedule("a", EVERY_TEN.catchUp(CatchUp.ALL))).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(schedule("a", EVERY_TEN.catchUp(CatchUp.ALL))).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(stored("a").dueAt()).isEqualTo(minute(10));
    }
}
