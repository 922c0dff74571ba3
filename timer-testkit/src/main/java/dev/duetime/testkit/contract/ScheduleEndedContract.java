package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of scheduling a timer that has ended or was deleted. */
abstract class ScheduleEndedContract extends ContractPart {
    ScheduleEndedContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aKeyThatWasReachedExpiredOrDiedIsIgnored() {
        for (TimerState state : ENDED_FOR_GOOD) {
            StoredTimer before = given(full(state.name()), state);

            ScheduleResult repeat = schedule(full(state.name()).registeredAt(NOW));
            ScheduleResult other = schedule(timer(state.name()).dueAt(NOW.plusSeconds(60)));

            assertThat(before.state()).isEqualTo(state);
            assertThat(repeat).isEqualTo(said(before, ScheduleOutcome.IGNORED));
            assertThat(other).isEqualTo(said(before, ScheduleOutcome.IGNORED));
            assertThat(other.state()).isEqualTo(state);
            assertThat(stored(state.name())).isEqualTo(before);
        }
    }

    @Test
    void aKeyThatWasReachedExpiredOrDiedIsCreatedWithRearm() {
        for (TimerState state : ENDED_FOR_GOOD) {
            given(full(state.name()), state);
            NewTimer again = full(state.name()).registeredAt(NOW).rearm().build();

            assertThat(schedule(again)).isEqualTo(said(again, ScheduleOutcome.CREATED));
            assertThat(stored(state.name())).isEqualTo(accepted(again));
        }
    }

    @Test
    void aCancelledKeyIsCreatedWithAndWithoutRearm() {
        for (TimerDraft again :
                List.of(full("a").registeredAt(NOW), full("b").registeredAt(NOW).rearm())) {
            NewTimer timer = again.build();
            given(timer(timer.key()));
            assertThat(store().cancel(timer.key(), NOW)).isEqualTo(CancelResult.CANCELLED);

            assertThat(schedule(timer)).isEqualTo(said(timer, ScheduleOutcome.CREATED));
            assertThat(stored(timer.key())).isEqualTo(accepted(timer));
        }
    }

    @Test
    void aDeletedKeyIsCreatedAndNoOutcomeOfTheOldGenerationTouchesIt() {
        StoredTimer old = given(timer("a"));
        assertThat(store().settle(List.of(deleted(old)))).isEqualTo(1);
        NewTimer timer = timer("a").build();

        assertThat(schedule(timer)).isEqualTo(said(timer, ScheduleOutcome.CREATED));

        assertThat(store().settle(List.of(ended(old, TimerState.REACHED)))).isZero();
        assertThat(store().settle(List.of(retried(old, NOW.plusSeconds(30))))).isZero();
        assertThat(store().settle(List.of(deleted(old)))).isZero();
        assertThat(stored("a")).isEqualTo(accepted(timer));
    }
}
