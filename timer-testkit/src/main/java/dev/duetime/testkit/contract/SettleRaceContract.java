package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a settlement and a concurrent call leave a row that agrees with both results. */
abstract class SettleRaceContract extends ContractPart {

    SettleRaceContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aScheduleAndASettlementAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            StoredTimer delivered = given(timer("a" + round));
            NewTimer newer = timer("a" + round).payload("newer").build();
            Callable<Object> schedule = () -> schedule(newer);
            Callable<Object> settle = () -> store().settle(List.of(ended(delivered, TimerState.REACHED)));

            List<Object> results = Race.between(List.of(schedule, settle));

            ScheduleResult said = (ScheduleResult) results.get(0);
            StoredTimer stands = stored(newer.key());
            assertThat(said.generation()).isEqualTo(stands.generation());
            assertThat(said.state()).isEqualTo(stands.state());
            if (said.outcome() == ScheduleOutcome.RESCHEDULED) {
                assertThat(stands).isEqualTo(accepted(newer));
                assertThat(results.get(1)).isEqualTo(0);
            } else {
                assertThat(said.outcome()).isEqualTo(ScheduleOutcome.IGNORED);
                assertThat(stands.state()).isEqualTo(TimerState.REACHED);
                assertThat(results.get(1)).isEqualTo(1);
            }
        }
    }

    @Test
    void aScheduleAndADeletionAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            StoredTimer delivered = given(timer("a" + round));
            NewTimer newer = timer("a" + round).payload("newer").build();
            Callable<Object> schedule = () -> schedule(newer).outcome();
            Callable<Object> settle = () -> store().settle(List.of(deleted(delivered)));

            List<Object> results = Race.between(List.of(schedule, settle));

            boolean deletedFirst = results.get(1).equals(1);
            assertThat(results.get(0)).isEqualTo(deletedFirst ? ScheduleOutcome.CREATED : ScheduleOutcome.RESCHEDULED);
            assertThat(stored(newer.key())).isEqualTo(accepted(newer));
        }
    }

    @Test
    void aRepeatDoesNotDelayASettlement() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            StoredTimer delivered = given(timer(id));
            Callable<Object> repeat = () -> schedule(timer(id)).outcome();
            Callable<Object> settle = () -> store().settle(List.of(ended(delivered, TimerState.REACHED)));

            List<Object> results = Race.between(List.of(repeat, settle));

            assertThat(results.get(0)).isIn(ScheduleOutcome.UNCHANGED, ScheduleOutcome.IGNORED);
            assertThat(results.get(1)).isEqualTo(1);
            assertThat(stored(id)).isEqualTo(stored(delivered.key()));
            assertThat(stored(id).state()).isEqualTo(TimerState.REACHED);
            assertThat(stored(id).generation()).isEqualTo(delivered.generation());
        }
    }

    @Test
    void aCancelAndASettlementAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            StoredTimer delivered = given(timer("a" + round));
            Callable<Object> cancel = () -> store().cancel(delivered.key(), NOW);
            Callable<Object> settle = () -> store().settle(List.of(ended(delivered, TimerState.REACHED)));

            List<Object> results = Race.between(List.of(cancel, settle));

            boolean settledFirst = results.get(1).equals(1);
            assertThat(results.get(0)).isEqualTo(settledFirst ? CancelResult.TOO_LATE : CancelResult.CANCELLED);
            assertThat(stored(delivered.key()).state())
                    .isEqualTo(settledFirst ? TimerState.REACHED : TimerState.CANCELLED);
        }
    }

    @Test
    void twoOwnersThatSettleTheSameTimersCountEachOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<Settlement> outcomes = settlements(batch(prefix, "first"));
            List<Settlement> backwards = new ArrayList<>(outcomes);
            Collections.reverse(backwards);

            List<Integer> counts = Race.of(i -> () -> store().settle(i % 2 == 0 ? outcomes : backwards));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(outcomes.size());
        }
    }

    @Test
    void batchesThatScheduleAndSettleTheSameTimersDoNotDeadlock() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<NewTimer> first = batch(prefix, "first");
            List<Settlement> outcomes = settlements(first);
            Collections.reverse(outcomes);
            List<NewTimer> second = batch(prefix, "second");
            Callable<List<ScheduleResult>> schedule = () -> store().schedule(second);
            Callable<List<ScheduleResult>> settle = () -> {
                store().settle(outcomes);
                return List.of();
            };

            List<ScheduleResult> results =
                    Race.between(List.of(schedule, settle)).get(0);

            for (int i = 0; i < second.size(); i++) {
                boolean rescheduled = results.get(i).outcome() == ScheduleOutcome.RESCHEDULED;
                StoredTimer stands = stored(second.get(i).key());
                assertThat(stands.state()).isEqualTo(rescheduled ? TimerState.SCHEDULED : TimerState.REACHED);
                assertThat(stands.generation()).isEqualTo(results.get(i).generation());
            }
        }
    }

    private List<NewTimer> batch(String prefix, String payload) {
        return IntStream.range(0, 100)
                .mapToObj(i -> timer(prefix + i).payload(payload).build())
                .toList();
    }

    /** Schedules the timers and returns an outcome for each. */
    private List<Settlement> settlements(List<NewTimer> timers) {
        store().schedule(timers);
        List<Settlement> outcomes = new ArrayList<>();
        timers.forEach(timer -> outcomes.add(ended(accepted(timer), TimerState.REACHED)));
        return outcomes;
    }
}
