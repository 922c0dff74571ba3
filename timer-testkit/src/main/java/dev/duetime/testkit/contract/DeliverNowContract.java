package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that an operator makes scheduled timers due now. Each is a new generation without attempts. A timer that is
 * due already, or an occurrence that is not due yet, is passed over.
 */
abstract class DeliverNowContract extends ContractPart {
    private static final Instant BEFORE = NOW.minusSeconds(60).minus(TICK);

    DeliverNowContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerIsDueNowAndKeepsEverythingElse() {
        StoredTimer waiting = given(full("a").step("one"));
        StoredTimer other = given(full("b"));
        Revival now = now(waiting);

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

        assertThat(deliverNow(NOW.plusSeconds(1), now(waiting))).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(NOW);
        assertThat(moved.wakeAt()).isEqualTo(NOW.plusSeconds(1));
        assertThat(moved.attempt()).isZero();
        assertThat(moved.failure()).isEqualTo(failure("unreachable"));
    }

    @Test
    void aTimerThatIsDueAlreadyIsPassedOver() {
        StoredTimer due = given(timer("a"));

        assertThat(deliverNow(NOW, now(due))).isZero();
        assertThat(stored("a")).isEqualTo(due);
        assertThat(deliverNow(NOW.minus(TICK), now(due))).isEqualTo(1);
    }

    @Test
    void anOccurrenceThatIsNotDueIsPassedOverAndItsRetryIsMoved() {
        TimerDraft hourly = timer("a").recurrence("every PT1H").catchUp(CatchUp.LATEST);
        StoredTimer waiting = given(hourly);

        assertThat(deliverNow(BEFORE, now(waiting))).isZero();
        assertThat(stored("a")).isEqualTo(waiting);

        store().settle(List.of(retried(waiting, NOW.plusSeconds(60))));
        assertThat(deliverNow(NOW.plusSeconds(1), now(waiting))).isEqualTo(1);
        assertThat(stored("a").wakeAt()).isEqualTo(NOW.plusSeconds(1));
        assertThat(stored("a").dueAt()).isEqualTo(NOW);
    }

    @Test
    void timersThatHaveEndedOrChangedOrAreAbsentArePassedOver() {
        for (TimerState state : TERMINAL) {
            StoredTimer ended = given(timer("a" + state), state);
            assertThat(deliverNow(BEFORE, now(ended))).isZero();
            assertThat(stored("a" + state)).isEqualTo(ended);
        }
        StoredTimer first = given(timer("b"));
        StoredTimer second = given(timer("b").payload("moved"));
        StoredTimer good = given(timer("c"));

        assertThat(deliverNow(
                        BEFORE, now(first), new Revival(key("absent"), 1, TimerDraft.nextGeneration()), now(good)))
                .isEqualTo(1);
        assertThat(stored("b")).isEqualTo(second);
        assertThat(store().find(key("absent"))).isEmpty();
        assertThat(deliverNow(BEFORE)).isZero();
    }

    @Test
    void anOutcomeOfTheGenerationBeforeDoesNotTouchIt() {
        StoredTimer waiting = given(timer("a"));
        deliverNow(BEFORE, now(waiting));
        StoredTimer moved = stored("a");

        assertThat(store().settle(List.of(ended(waiting, TimerState.REACHED)))).isZero();
        assertThat(stored("a")).isEqualTo(moved);
        assertThat(store().settle(List.of(ended(moved, TimerState.REACHED)))).isEqualTo(1);
    }

    @Test
    void aRepeatOfItsScheduleMovesItBack() {
        StoredTimer waiting = given(timer("a"));
        deliverNow(BEFORE, now(waiting));

        assertThat(schedule(timer("a")).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a").dueAt()).isEqualTo(NOW);
    }

    @Test
    void concurrentOperatorsMoveEachTimerOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<StoredTimer> waiting = IntStream.range(0, 20)
                    .mapToObj(i -> given(timer(prefix + i)))
                    .toList();

            List<Integer> counts = Race.of(i -> () -> store().admin()
                    .deliverNow(waiting.stream().map(DeliverNowContract::now).toList(), BEFORE));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(waiting.size());
        }
    }

    private int deliverNow(Instant now, Revival... timers) {
        return store().admin().deliverNow(List.of(timers), now);
    }

    private static Revival now(StoredTimer timer) {
        return new Revival(timer.key(), timer.generation(), TimerDraft.nextGeneration());
    }
}
