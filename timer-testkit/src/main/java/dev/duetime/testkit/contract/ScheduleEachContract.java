package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of schedules that need not be stored together: each does what it would do alone. */
abstract class ScheduleEachContract extends ContractPart {

    ScheduleEachContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void noTimersAreLegalAndDoNothing() {
        assertThat(store().scheduleEach(List.of())).isEmpty();
    }

    @Test
    void eachTimerGetsItsOwnOutcomeInTheGivenOrder() {
        StoredTimer scheduled = given(timer("scheduled"));
        StoredTimer reached = given(timer("reached"), TimerState.REACHED);
        given(timer("cancelled"), TimerState.CANCELLED);
        given(timer("moved"));
        NewTimer created = timer("created").build();
        NewTimer repeat = timer("scheduled").build();
        NewTimer late = timer("reached").payload("other").build();
        NewTimer again = timer("cancelled").build();
        NewTimer moved = timer("moved").payload("other").build();

        List<ScheduleResult> results = store().scheduleEach(List.of(repeat, created, moved, late, again));

        assertThat(results)
                .containsExactly(
                        said(scheduled, ScheduleOutcome.UNCHANGED),
                        said(created, ScheduleOutcome.CREATED),
                        said(moved, ScheduleOutcome.RESCHEDULED),
                        said(reached, ScheduleOutcome.IGNORED),
                        said(again, ScheduleOutcome.CREATED));
        assertThat(stored("scheduled")).isEqualTo(scheduled);
        assertThat(stored("reached")).isEqualTo(reached);
        assertThat(List.of(created, moved, again))
                .allSatisfy(timer -> assertThat(stored(timer.key())).isEqualTo(accepted(timer)));
    }

    @Test
    void aKeyGivenSeveralTimesIsScheduledOneAfterTheOther() {
        NewTimer first = timer("a").payload("1").build();
        NewTimer other = timer("b").build();
        NewTimer repeat = timer("a").payload("1").build();
        NewTimer last = timer("a").payload("2").build();

        List<ScheduleResult> results = store().scheduleEach(List.of(first, other, repeat, last));

        assertThat(results)
                .containsExactly(
                        said(first, ScheduleOutcome.CREATED),
                        said(other, ScheduleOutcome.CREATED),
                        said(accepted(first), ScheduleOutcome.UNCHANGED),
                        said(accepted(last), ScheduleOutcome.RESCHEDULED));
        assertThat(stored("a")).isEqualTo(accepted(last));
    }

    @Test
    void oneOfSeveralEqualSchedulesCreatesEachKeyAndAllNameItsGeneration() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";

            List<List<ScheduleResult>> results = Race.of(i -> () -> scheduled(group(prefix)));

            for (int n = 0; n < 30; n++) {
                int index = n;
                List<ScheduleResult> ofKey =
                        results.stream().map(group -> group.get(index)).toList();
                assertThat(ofKey)
                        .extracting(ScheduleResult::generation)
                        .containsOnly(stored(prefix + n).generation());
                assertThat(ofKey)
                        .filteredOn(result -> result.outcome() == ScheduleOutcome.CREATED)
                        .hasSize(1);
                assertThat(ofKey)
                        .filteredOn(result -> result.outcome() == ScheduleOutcome.UNCHANGED)
                        .hasSize(Race.THREADS - 1);
            }
        }
    }

    /**
     * A row that is locked for too long is waited for by another call, which may find that the first one had written
     * it.
     */
    private List<ScheduleResult> scheduled(List<NewTimer> timers) {
        try {
            return store().scheduleEach(timers);
        } catch (CollisionException e) {
            List<ScheduleResult> results = new ArrayList<>(store().schedule(timers));
            for (int i = 0; i < results.size(); i++) {
                ScheduleResult result = results.get(i);
                boolean own = result.generation() == timers.get(i).generation();
                results.set(i, own ? said(timers.get(i), ScheduleOutcome.CREATED) : result);
            }
            return results;
        }
    }

    private List<NewTimer> group(String prefix) {
        return IntStream.range(0, 30).mapToObj(n -> timer(prefix + n).build()).toList();
    }

    /** What held a schedule back may be gone when it is asked for. */
    @Test
    void aRepeatAndACancelAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            StoredTimer before = given(timer(id));
            NewTimer repeat = timer(id).build();
            NewTimer other = timer("b" + round).build();
            Callable<Object> schedule = () -> scheduled(List.of(repeat, other)).get(0);
            Callable<Object> cancel = () -> store().cancel(key(id), NOW);

            List<Object> results = Race.between(List.of(schedule, cancel));

            assertThat(results.get(1)).isEqualTo(CancelResult.CANCELLED);
            boolean cancelledFirst = results.get(0).equals(said(repeat, ScheduleOutcome.CREATED));
            if (!cancelledFirst) {
                assertThat(results.get(0)).isEqualTo(said(before, ScheduleOutcome.UNCHANGED));
            }
            assertThat(stored(id).state()).isEqualTo(cancelledFirst ? TimerState.SCHEDULED : TimerState.CANCELLED);
        }
    }
}
