package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that an operator makes scheduled timers due now. Each is a new generation without attempts. A timer that is
 * due already, or an occurrence that is not due yet, is skipped.
 */
abstract class DeliverNowContract extends OperatorMovePart {
    private static final Instant BEFORE = NOW.minusSeconds(60).minus(TICK);

    DeliverNowContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerIsDueNowAndKeepsEverythingElse() {
        StoredTimer waiting = given(full("a").step("one"));
        StoredTimer other = given(full("b"));
        Revival now = next(waiting);

        assertThat(deliverNow(BEFORE, now)).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(BEFORE);
        assertThat(moved.wakeAt()).isEqualTo(BEFORE);
        assertThat(moved.generation()).isEqualTo(now.newGeneration());
        assertThat(moved.registeredAt()).isEqualTo(waiting.registeredAt());
        assertThat(moved.content())
                .isEqualTo(full("a").step("one").dueAt(BEFORE).build().content());
        assertThat(moved.state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(dueKeys(BEFORE.minus(TICK), 3)).isEmpty();
        assertThat(dueKeys(BEFORE, 3)).containsExactly(waiting.key());
        assertThat(stored("b")).isEqualTo(other);
    }

    @Test
    void aRetryIsDueNowWithoutAttemptsAndKeepsItsDueTimeAndFailures() {
        StoredTimer waiting = given(timer("a"));
        store().settle(List.of(retried(waiting, NOW.plusSeconds(60))));

        assertThat(deliverNow(NOW.plusSeconds(1), next(waiting))).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(NOW);
        assertThat(moved.wakeAt()).isEqualTo(NOW.plusSeconds(1));
        assertThat(moved.attempt()).isZero();
        assertThat(moved.failure()).isEqualTo(failure("unreachable"));
    }

    @Test
    void aTimerThatIsDueAlreadyIsSkipped() {
        StoredTimer due = given(timer("a"));

        assertThat(deliverNow(NOW, next(due))).isZero();
        assertThat(stored("a")).isEqualTo(due);
        assertThat(deliverNow(NOW.minus(TICK), next(due))).isEqualTo(1);
    }

    @Test
    void anOccurrenceThatIsNotDueIsSkippedAndItsRetryIsMoved() {
        TimerDraft hourly = timer("a").recurrence("every PT1H").catchUp(CatchUp.LATEST);
        StoredTimer waiting = given(hourly);

        assertThat(deliverNow(BEFORE, next(waiting))).isZero();
        assertThat(stored("a")).isEqualTo(waiting);

        store().settle(List.of(retried(waiting, NOW.plusSeconds(60))));
        assertThat(deliverNow(NOW.plusSeconds(1), next(waiting))).isEqualTo(1);
        assertThat(stored("a").wakeAt()).isEqualTo(NOW.plusSeconds(1));
        assertThat(stored("a").dueAt()).isEqualTo(NOW);
    }

    @Test
    void aRepeatOfItsScheduleMovesItBack() {
        StoredTimer waiting = given(timer("a"));
        deliverNow(BEFORE, next(waiting));

        assertThat(schedule(timer("a")).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a").dueAt()).isEqualTo(NOW);
    }

    @Override
    int move(List<Revival> timers) {
        return store().admin().deliverNow(timers, BEFORE);
    }

    private int deliverNow(Instant now, Revival... timers) {
        return store().admin().deliverNow(List.of(timers), now);
    }
}
