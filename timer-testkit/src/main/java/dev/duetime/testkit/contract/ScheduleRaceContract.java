package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of schedules that meet on the same keys: each result is true, and none waits for ever. */
abstract class ScheduleRaceContract extends ContractPart {

    ScheduleRaceContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void oneOfSeveralEqualSchedulesCreatesAndAllNameItsGeneration() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;

            List<ScheduleResult> results = Race.of(i -> () -> schedule(timer(id).registeredAt(NOW.plusSeconds(i))));

            long generation = stored(id).generation();
            assertThat(results).extracting(ScheduleResult::generation).containsOnly(generation);
            assertThat(count(results, ScheduleOutcome.CREATED)).isEqualTo(1);
            assertThat(count(results, ScheduleOutcome.UNCHANGED)).isEqualTo(Race.THREADS - 1);
        }
    }

    @Test
    void oneOfSeveralDifferentSchedulesCreatesAndTheLastWins() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            List<NewTimer> timers = IntStream.range(0, Race.THREADS)
                    .mapToObj(i -> timer(id).payload("p" + i).build())
                    .toList();

            List<ScheduleResult> results = Race.of(i -> () -> schedule(timers.get(i)));

            assertThat(count(results, ScheduleOutcome.CREATED)).isEqualTo(1);
            assertThat(count(results, ScheduleOutcome.RESCHEDULED)).isEqualTo(Race.THREADS - 1);
            assertThat(results)
                    .extracting(ScheduleResult::generation)
                    .containsExactlyElementsOf(
                            timers.stream().map(NewTimer::generation).toList());
            assertThat(timers).extracting(ContractPart::accepted).contains(stored(id));
        }
    }

    @Test
    void eachConcurrentScheduleNamesAGenerationOfItsOwnContent() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            List<NewTimer> timers = IntStream.range(0, Race.THREADS)
                    .mapToObj(i -> timer(id).payload("p" + i % 2).build())
                    .toList();

            List<ScheduleResult> results = Race.of(i -> () -> schedule(timers.get(i)));

            assertThat(count(results, ScheduleOutcome.CREATED)).isEqualTo(1);
            for (int i = 0; i < Race.THREADS; i++) {
                long named = results.get(i).generation();
                NewTimer standing = timers.stream()
                        .filter(timer -> timer.generation() == named)
                        .findFirst()
                        .orElseThrow();
                assertThat(standing.content()).isEqualTo(timers.get(i).content());
            }
        }
    }

    @Test
    void oneOfSeveralSchedulesCreatesACancelledKey() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            given(timer(id), TimerState.CANCELLED);

            List<ScheduleResult> results = Race.of(i -> () -> schedule(timer(id)));

            assertThat(count(results, ScheduleOutcome.CREATED)).isEqualTo(1);
            assertThat(count(results, ScheduleOutcome.UNCHANGED)).isEqualTo(Race.THREADS - 1);
            assertThat(results)
                    .extracting(ScheduleResult::generation)
                    .containsOnly(stored(id).generation());
        }
    }

    @Test
    void batchesInOppositeKeyOrderDoNotDeadlock() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";

            List<List<ScheduleResult>> results = Race.of(i -> {
                List<NewTimer> batch = batch(prefix, 0, 100, "p" + i);
                if (i % 2 == 1) {
                    Collections.reverse(batch);
                }
                return () -> store().schedule(batch);
            });

            eachKeyIsCreatedOnceAndStandsAsSaid(results, 100);
        }
    }

    @Test
    void overlappingBatchesCreateEachKeyOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";

            List<List<ScheduleResult>> results =
                    Race.of(i -> () -> store().schedule(batch(prefix, 20 * i, 20 * i + 60, "p" + i)));

            eachKeyIsCreatedOnceAndStandsAsSaid(results, 20 * (Race.THREADS - 1) + 60);
        }
    }

    @Test
    void aScheduleAndACancelAgreeOnWhoCameFirst() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            given(timer(id));
            NewTimer other = timer(id).payload("other").build();
            Callable<Object> schedule = () -> schedule(other).outcome();
            Callable<Object> cancel = () -> store().cancel(key(id), NOW);

            List<Object> outcomes = Race.between(List.of(schedule, cancel));

            boolean cancelledFirst = outcomes.get(0) == ScheduleOutcome.CREATED;
            assertThat(outcomes.get(0)).isIn(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED);
            assertThat(outcomes.get(1)).isEqualTo(CancelResult.CANCELLED);
            assertThat(stored(id).generation()).isEqualTo(other.generation());
            assertThat(stored(id).state()).isEqualTo(cancelledFirst ? TimerState.SCHEDULED : TimerState.CANCELLED);
        }
    }

    private List<NewTimer> batch(String prefix, int from, int to, String payload) {
        List<NewTimer> batch = new ArrayList<>();
        for (int i = from; i < to; i++) {
            batch.add(timer(prefix + i).payload(payload).build());
        }
        return batch;
    }

    private void eachKeyIsCreatedOnceAndStandsAsSaid(List<List<ScheduleResult>> batches, int keys) {
        Map<TimerKey, List<ScheduleResult>> byKey = new HashMap<>();
        for (List<ScheduleResult> batch : batches) {
            batch.forEach(result -> byKey.computeIfAbsent(result.key(), key -> new ArrayList<>())
                    .add(result));
        }
        assertThat(byKey).hasSize(keys);
        byKey.forEach((key, results) -> {
            assertThat(count(results, ScheduleOutcome.CREATED)).isEqualTo(1);
            assertThat(count(results, ScheduleOutcome.RESCHEDULED)).isEqualTo(results.size() - 1);
            assertThat(results)
                    .extracting(ScheduleResult::generation)
                    .contains(stored(key).generation());
        });
    }

    private static long count(List<ScheduleResult> results, ScheduleOutcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }
}
