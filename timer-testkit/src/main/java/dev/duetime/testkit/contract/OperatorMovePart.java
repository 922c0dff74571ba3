package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.Revival;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A chapter of the contract about operators who move scheduled timers, each as a new generation. */
abstract class OperatorMovePart extends ContractPart {

    OperatorMovePart(ScheduleStoreContract author) {
        super(author);
    }

    /** Moves timers to a due time that none of them has. Returns how many were moved. */
    abstract int move(List<Revival> timers);

    static Revival next(StoredTimer timer) {
        return new Revival(timer.key(), timer.generation(), TimerDraft.nextGeneration());
    }

    @Test
    void timersThatHaveEndedOrChangedOrAreAbsentAreSkipped() {
        for (TimerState state : TERMINAL) {
            StoredTimer ended = given(timer("a" + state), state);
            assertThat(move(List.of(next(ended)))).isZero();
            assertThat(stored("a" + state)).isEqualTo(ended);
        }
        StoredTimer first = given(timer("b"));
        StoredTimer second = given(timer("b").payload("moved"));
        StoredTimer good = given(timer("c"));
        Revival absent = new Revival(key("absent"), 1, TimerDraft.nextGeneration());

        assertThat(move(List.of(next(first), absent, next(good)))).isEqualTo(1);
        assertThat(stored("b")).isEqualTo(second);
        assertThat(store().find(key("absent"))).isEmpty();
        assertThat(move(List.of())).isZero();
    }

    @Test
    void anOutcomeOfTheGenerationBeforeDoesNotTouchIt() {
        StoredTimer waiting = given(timer("a"));
        move(List.of(next(waiting)));
        StoredTimer moved = stored("a");

        assertThat(store().settle(List.of(ended(waiting, TimerState.REACHED)))).isZero();
        assertThat(stored("a")).isEqualTo(moved);
        assertThat(store().settle(List.of(ended(moved, TimerState.REACHED)))).isEqualTo(1);
    }

    @Test
    void concurrentOperatorsMoveEachTimerOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<StoredTimer> waiting = IntStream.range(0, 20)
                    .mapToObj(i -> given(timer(prefix + i)))
                    .toList();

            List<Integer> counts = Race.of(
                    i -> () -> move(waiting.stream().map(OperatorMovePart::next).toList()));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(waiting.size());
        }
    }
}
