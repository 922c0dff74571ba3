package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a timer lies in one shard, and that only a schedule moves it to another one, as a new generation. So no
 * two owners of shards read the same generation.
 */
abstract class PlacementContract extends ContractPart {
    private static final int SHARDS = Race.THREADS;
    private static final List<Integer> ALL = IntStream.range(0, SHARDS).boxed().toList();

    PlacementContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aRescheduleIntoAnotherShardLeavesNothingInTheFormerOne() {
        given(timer("a").shard(1).dueAt(NOW));
        StoredTimer other = given(timer("b").shard(1).dueAt(NOW));

        StoredTimer moved = given(timer("a").shard(2).dueAt(NOW.minusSeconds(1)));

        assertThat(dueKeys(NOW, 1)).containsExactly(other.key());
        assertThat(due(NOW, List.of(2), 10).timers()).containsExactly(moved);
        assertThat(nextDue(List.of(1))).contains(NOW);
        assertThat(nextDue(List.of(2))).contains(NOW.minusSeconds(1));
    }

    @Test
    void aRepeatIntoAnotherShardStaysWhereItIs() {
        StoredTimer waiting = given(timer("a").shard(1).dueAt(NOW));

        ScheduleResult repeat = schedule(timer("a").shard(2).dueAt(NOW));

        assertThat(repeat).isEqualTo(said(waiting, ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(waiting);
        assertThat(dueKeys(NOW, 2)).isEmpty();
    }

    @Test
    void aTodoThatIsWaitingStaysWhereItIs() {
        StoredTimer waiting = given(timer("a").step("one").shard(1).dueAt(NOW));

        schedule(timer("a").step("one").shard(2).dueAt(NOW).payload("other"));

        assertThat(stored("a")).isEqualTo(waiting);
        assertThat(dueKeys(NOW, 2)).isEmpty();
    }

    @Test
    void aCancelledTimerMayBeScheduledIntoAnotherShard() {
        StoredTimer cancelled = given(timer("a").shard(1).dueAt(NOW), TimerState.CANCELLED);

        StoredTimer again = given(timer("a").shard(2).dueAt(NOW));

        assertThat(again.generation()).isNotEqualTo(cancelled.generation());
        assertThat(dueKeys(NOW, 1)).isEmpty();
        assertThat(store().settle(List.of(ended(cancelled, TimerState.REACHED))))
                .isZero();
        assertThat(dueKeys(NOW, 2)).containsExactly(again.key());
    }

    @Test
    void noOutcomeAndNoOperatorMovesATimerToAnotherShard() {
        Instant later = NOW.plusSeconds(60);
        StoredTimer retried = given(timer("retried").shard(1).dueAt(NOW));
        StoredTimer step = given(timer("step").step("one").shard(1).dueAt(NOW));
        StoredTimer occurrence =
                given(timer("occurrence").recurrence("every PT1H").shard(1).dueAt(NOW));
        StoredTimer early = given(timer("early").shard(1).dueAt(later));
        StoredTimer late = given(timer("late").shard(1).dueAt(NOW));
        StoredTimer dead = given(timer("dead").shard(1).dueAt(NOW), TimerState.DEAD);

        store().settle(List.of(
                retried(retried, NOW),
                advanced(step, timer("step").step("two").shard(2).dueAt(NOW)),
                moved(occurrence, NOW)));
        store().admin().deliverNow(List.of(revival(early)), NOW);
        store().admin().reschedule(List.of(revival(late)), NOW.minusSeconds(1));
        store().admin().revive(List.of(revival(dead)), NOW);

        assertThat(dueKeys(NOW, 1))
                .containsExactlyInAnyOrder(
                        retried.key(), step.key(), occurrence.key(), early.key(), late.key(), dead.key());
        assertThat(dueKeys(NOW, 2)).isEmpty();
    }

    private static Revival revival(StoredTimer timer) {
        return new Revival(timer.key(), timer.generation(), TimerDraft.nextGeneration());
    }

    @Test
    void nodesThatScheduleAKeyIntoDifferentShardsAtOnceLeaveItInOne() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "r" + round;
            List<NewTimer> drafts = ALL.stream()
                    .map(shard -> timer(id)
                            .shard(shard)
                            .dueAt(NOW)
                            .payload("of " + shard)
                            .build())
                    .toList();

            Race.of(i -> () -> schedule(drafts.get(i)));

            StoredTimer left = stored(id);
            assertThat(drafts.get(left.shard()).generation()).isEqualTo(left.generation());
            for (int shard : ALL) {
                List<StoredTimer> found = store().due(new DueQuery(queue, List.of(shard), NOW, 1_000)).timers().stream()
                        .filter(each -> each.key().equals(left.key()))
                        .toList();
                assertThat(found).isEqualTo(shard == left.shard() ? List.of(left) : List.of());
            }
        }
    }
}
