package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that an operator moves scheduled timers to another due time. Each is a new generation without attempts, and
 * keeps everything else. A timer that recurs, runs, or would be due after its deadline is skipped.
 */
abstract class RescheduleContract extends OperatorMovePart {
    private static final Instant LATER = NOW.plusSeconds(3_600).plus(TICK);

    RescheduleContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerIsMovedAndKeepsEverythingElse() {
        StoredTimer waiting = given(full("a").step("one").expiresAt(LATER));
        StoredTimer other = given(full("b"));
        Revival move = next(waiting);

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

        assertThat(reschedule(NOW, next(waiting))).isEqualTo(1);

        StoredTimer moved = stored("a");
        assertThat(moved.dueAt()).isEqualTo(NOW);
        assertThat(moved.wakeAt()).isEqualTo(NOW);
        assertThat(moved.attempt()).isZero();
        assertThat(moved.failure()).isEqualTo(failure("unreachable"));
    }

    @Test
    void aTimerThatIsThereAlreadyIsSkipped() {
        StoredTimer waiting = given(timer("a"));

        assertThat(reschedule(NOW, next(waiting))).isZero();
        assertThat(stored("a")).isEqualTo(waiting);
        assertThat(reschedule(NOW.minus(TICK), next(waiting))).isEqualTo(1);
    }

    @Test
    void aTimerThatRecursOrRunsOrWouldBeTooLateIsSkipped() {
        StoredTimer recurs = given(timer("a").recurrence("every PT1H").catchUp(CatchUp.LATEST));
        StoredTimer runs = given(timer("b").step("one"));
        store().start(runs.key(), runs.generation(), NOW);
        StoredTimer tooLate = given(timer("c").expiresAt(LATER.minus(TICK)));

        assertThat(reschedule(LATER, next(recurs), next(runs), next(tooLate))).isZero();

        assertThat(stored("a")).isEqualTo(recurs);
        assertThat(stored("b").generation()).isEqualTo(runs.generation());
        assertThat(stored("c")).isEqualTo(tooLate);
    }

    @Override
    int move(List<Revival> timers) {
        return store().admin().reschedule(timers, LATER);
    }

    private int reschedule(Instant dueAt, Revival... timers) {
        return store().admin().reschedule(List.of(timers), dueAt);
    }
}
