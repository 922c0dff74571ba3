package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that an operator moves scheduled timers to another due time. Each is a new generation without attempts, and
 * keeps everything else. A timer that recurs, runs, or would be due after its deadline is passed over.
 */
abstract class RescheduleContract extends ContractPart {
    private static final Instant LATER = NOW.plusSeconds(3_600).plus(TICK);

    RescheduleContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerIsMovedAndKeepsEverythingElse() {
        StoredTimer waiting = given(full("a").step("one").expiresAt(LATER));
        StoredTimer other = given(full("b"));
        Revival move = move(waiting);

        assertThat(reschedule(LATER, move)).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(LATER);
        assertThat(moved.wakeAt()).isEqualTo(LATER);
        assertThat(moved.generation()).isEqualTo(move.newGeneration());
        assertThat(moved.registeredAt()).isEqualTo(waiting.registeredAt());
        assertThat(moved.content())
                .isEqualTo(full("a")
                        .step("one")
                        .expiresAt(LATER)
                        .dueAt(LATER)
                        .build()
                        .content());
        assertThat(moved.state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(dueKeys(LATER.minus(TICK), 3)).containsExactly(other.key());
        assertThat(dueKeys(LATER, 3)).containsExactly(other.key(), waiting.key());
        assertThat(stored("b")).isEqualTo(other);
    }

    @Test
    void aRetryIsMovedWithoutAttemptsAndKeepsItsFailures() {
        StoredTimer waiting = given(timer("a"));
        store().settle(List.of(retried(waiting, NOW.plusSeconds(60))));

        assertThat(reschedule(NOW, move(waiting))).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(NOW);
        assertThat(moved.wakeAt()).isEqualTo(NOW);
        assertThat(moved.attempt()).isZero();
        assertThat(moved.failure()).isEqualTo(failure("unreachable"));
    }

    @Test
    void aTimerThatIsThereAlreadyIsPassedOver() {
        StoredTimer waiting = given(timer("a"));

        assertThat(reschedule(NOW, move(waiting))).isZero();
        assertThat(stored("a")).isEqualTo(waiting);
        assertThat(reschedule(NOW.minus(TICK), move(waiting))).isEqualTo(1);
    }

    @Test
    void aTimerThatRecursOrRunsOrWouldBeTooLateIsPassedOver() {
        StoredTimer recurs = given(timer("a").recurrence("every PT1H").catchUp(CatchUp.LATEST));
        StoredTimer runs = given(timer("b").step("one"));
        store().start(runs.key(), runs.generation(), NOW);
        StoredTimer tooLate = given(timer("c").expiresAt(LATER.minus(TICK)));

        assertThat(reschedule(LATER, move(recurs), move(runs), move(tooLate))).isZero();

        assertThat(stored("a")).isEqualTo(recurs);
        assertThat(stored("b").generation()).isEqualTo(runs.generation());
        assertThat(stored("c")).isEqualTo(tooLate);
    }

    @Test
    void timersThatHaveEndedOrChangedOrAreAbsentArePassedOver() {
        for (TimerState state : TERMINAL) {
            StoredTimer ended = given(timer("a" + state), state);
            assertThat(reschedule(LATER, move(ended))).isZero();
            assertThat(stored("a" + state)).isEqualTo(ended);
        }
        StoredTimer first = given(timer("b"));
        StoredTimer second = given(timer("b").payload("moved"));
        StoredTimer good = given(timer("c"));

        assertThat(reschedule(
                        LATER, move(first), new Revival(key("absent"), 1, TimerDraft.nextGeneration()), move(good)))
                .isEqualTo(1);
        assertThat(stored("b")).isEqualTo(second);
        assertThat(store().find(key("absent"))).isEmpty();
        assertThat(reschedule(LATER)).isZero();
    }

    @Test
    void anOutcomeOfTheGenerationBeforeDoesNotTouchIt() {
        StoredTimer waiting = given(timer("a"));
        reschedule(LATER, move(waiting));
        StoredTimer moved = stored("a");

        assertThat(store().settle(List.of(ended(waiting, TimerState.REACHED)))).isZero();
        assertThat(stored("a")).isEqualTo(moved);
    }

    @Test
    void concurrentOperatorsMoveEachTimerOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<StoredTimer> waiting = IntStream.range(0, 20)
                    .mapToObj(i -> given(timer(prefix + i)))
                    .toList();

            List<Integer> counts = Race.of(i -> () -> store().admin()
                    .reschedule(waiting.stream().map(RescheduleContract::move).toList(), LATER));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(waiting.size());
        }
    }

    private int reschedule(Instant dueAt, Revival... timers) {
        return store().admin().reschedule(List.of(timers), dueAt);
    }

    private static Revival move(StoredTimer timer) {
        return new Revival(timer.key(), timer.generation(), TimerDraft.nextGeneration());
    }
}
