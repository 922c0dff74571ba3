package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement.Moved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The rule that a recurring timer moves from occurrence to occurrence, and that a repeat of its schedule does not
 * change that.
 */
abstract class RecurrenceContract extends RecurrencePart {
    RecurrenceContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aRepeatIsUnchangedForEachCurrentOccurrence() {
        StoredTimer first = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        store().settle(List.of(new Moved(
                first.key(),
                first.generation(),
                TimerDraft.nextGeneration(),
                NEXT,
                NEXT.plusSeconds(5),
                NOW,
                failure("x"))));
        StoredTimer standing = stored("a");

        for (Instant dueAt : List.of(NOW, NEXT, NEXT.plus(Duration.ofHours(7)))) {
            assertThat(schedule(hourly("a").dueAt(dueAt).expiresAt(dueAt.plusSeconds(5)))
                            .outcome())
                    .isEqualTo(ScheduleOutcome.UNCHANGED);
            assertThat(stored("a")).isEqualTo(standing);
        }
    }

    @Test
    void anotherTimeUntilTheDeadlineReschedules() {
        for (Duration validFor :
                List.of(Duration.ofSeconds(5).plus(TICK), Duration.ofSeconds(5).minus(TICK))) {
            String id = "a" + validFor;
            given(hourly(id).expiresAt(NOW.plusSeconds(5)));
            NewTimer changed =
                    hourly(id).dueAt(NEXT).expiresAt(NEXT.plus(validFor)).build();

            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored(id).content().expiresAt()).isEqualTo(NOW.plus(validFor));
        }
        given(hourly("b").expiresAt(NOW.plusSeconds(5)));

        assertThat(schedule(hourly("b")).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("b").content().expiresAt()).isNull();
    }

    @Test
    void otherContentKeepsTheCurrentAndThePreviousOccurrence() {
        StoredTimer first = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        StoredTimer standing = movedTo(first, NEXT);
        NewTimer changed = hourly("a")
                .dueAt(NEXT.plus(Duration.ofHours(3)))
                .expiresAt(NEXT.plus(Duration.ofHours(3)).plusSeconds(9))
                .payload("other")
                .build();

        assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(written(changed, NEXT, NEXT.plusSeconds(9), standing.previousAt()));
        assertThat(stored("a").previousAt()).isEqualTo(NOW);
    }

    @Test
    void anotherCatchUpKeepsTheCurrentOccurrence() {
        movedTo(given(hourly("a")), NEXT);
        NewTimer all = hourly("a")
                .recurrence(HOURLY)
                .catchUp(CatchUp.ALL)
                .dueAt(NEXT.plusSeconds(9))
                .build();
        NewTimer none = hourly("a")
                .recurrence(HOURLY)
                .catchUp(CatchUp.NONE)
                .dueAt(NEXT.plusSeconds(9))
                .build();

        for (NewTimer changed : List.of(all, none, hourly("a").build())) {
            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored("a")).isEqualTo(written(changed, NEXT, null, NOW));
        }
    }

    @Test
    void anotherRuleTakesItsOwnOccurrenceAndKeepsThePreviousOne() {
        for (String rule : List.of("every PT2H", "every PT1H anchor=2000-01-01T00:00:01Z", "every PT1", "Every PT1H")) {
            movedTo(given(hourly(rule)), NEXT);
            NewTimer changed =
                    hourly(rule).recurrence(rule).dueAt(NEXT.plus(TICK)).build();

            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored(rule)).as(rule).isEqualTo(written(changed, NEXT.plus(TICK), null, NOW));
        }
    }

    @Test
    void aTimerThatNoLongerRecursForgetsThePreviousOne() {
        movedTo(given(hourly("a")), NEXT);
        NewTimer once = timer("a").dueAt(NEXT).build();

        assertThat(schedule(once).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(accepted(once));
    }

    @Test
    void aTimerThatBeginsToRecurTakesTheGivenOccurrence() {
        given(timer("a"));
        NewTimer recurring = hourly("a").dueAt(NEXT).build();

        assertThat(schedule(recurring).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(accepted(recurring));
    }

    @Test
    void aCancelledRecurrenceStartsAgain() {
        StoredTimer moved = movedTo(given(hourly("a")), NEXT);
        store().cancel(moved.key(), NEXT);
        assertThat(stored("a").previousAt()).isEqualTo(NOW);
        NewTimer again = hourly("a").dueAt(NEXT.plus(Duration.ofHours(9))).build();

        assertThat(schedule(again).outcome()).isEqualTo(ScheduleOutcome.CREATED);

        assertThat(stored("a")).isEqualTo(accepted(again));
    }

    @Test
    void aRecurringTimerIsCancelledEvenIfItsOccurrenceIsInDelivery() {
        StoredTimer timer = given(hourly("a"));

        assertThat(store().cancel(timer.key(), NOW, OptionalLong.of(timer.generation())))
                .isEqualTo(CancelResult.CANCELLED);

        assertThat(store().settle(List.of(moved(timer, NEXT)))).isZero();
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
    }
}
