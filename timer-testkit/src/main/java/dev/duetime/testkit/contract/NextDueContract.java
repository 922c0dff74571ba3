package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that the next due time is the earliest {@code wakeAt > after} of the scheduled timers in the given shards.
 */
abstract class NextDueContract extends ContractPart {

    NextDueContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void nothingIsNextInAnEmptyQueue() {
        given(timer("a").queue(otherQueue));

        assertThat(nextDue(List.of(0, 1))).isEmpty();
    }

    @Test
    void theEarliestOfAllGivenShardsIsNext() {
        given(timer("a").shard(0).dueAt(NOW.plusSeconds(5)));
        given(timer("b").shard(0).dueAt(NOW.plusSeconds(9)));
        given(timer("c").shard(1).dueAt(NOW.plusSeconds(5).minus(TICK)));
        given(timer("d").shard(2).dueAt(NOW.plusSeconds(7)));

        assertThat(nextDue(List.of(0, 1, 2))).contains(NOW.plusSeconds(5).minus(TICK));
    }

    @Test
    void onlyTheGivenShardsCount() {
        given(timer("a").shard(0).dueAt(NOW));
        given(timer("b").shard(1).dueAt(NOW.plusSeconds(1)));
        given(timer("c").shard(11).dueAt(NOW.plusSeconds(2)));

        assertThat(nextDue(List.of(11, 1))).contains(NOW.plusSeconds(1));
        assertThat(nextDue(List.of(11))).contains(NOW.plusSeconds(2));
        assertThat(nextDue(List.of(5))).isEmpty();
        assertThat(nextDue(List.of())).isEmpty();
    }

    @Test
    void onlyTheGivenQueueCounts() {
        given(timer("a").queue(otherQueue).dueAt(NOW));
        given(timer("b").dueAt(NOW.plusSeconds(1)));

        assertThat(nextDue(List.of(0))).contains(NOW.plusSeconds(1));
    }

    @Test
    void onlyScheduledTimersCount() {
        TERMINAL.forEach(state -> given(timer(state.name()), state));
        assertThat(nextDue(List.of(0))).isEmpty();

        given(timer("a").dueAt(NOW.plusSeconds(1)));

        assertThat(nextDue(List.of(0))).contains(NOW.plusSeconds(1));
    }

    @Test
    void aPastTimeIsNext() {
        Instant longAgo = Instant.parse("0001-01-01T00:00:00Z");
        given(timer("a").dueAt(longAgo));
        given(timer("b"));

        assertThat(nextDue(List.of(0))).contains(longAgo);
    }

    @Test
    void aRetriedTimerCountsByTheTimeOfItsRetry() {
        StoredTimer timer = given(timer("a").dueAt(NOW));
        given(timer("b").dueAt(NOW.plusSeconds(60)));

        store().settle(List.of(retried(timer, NOW.plusSeconds(30))));
        assertThat(nextDue(List.of(0))).contains(NOW.plusSeconds(30));

        store().settle(List.of(retried(timer, NOW.plusSeconds(90))));
        assertThat(nextDue(List.of(0))).contains(NOW.plusSeconds(60));
    }

    @Test
    void aSettledTimerNoLongerCounts() {
        StoredTimer first = given(timer("a").dueAt(NOW));
        StoredTimer second = given(timer("b").dueAt(NOW.plusSeconds(1)));

        store().settle(List.of(ended(first, TimerState.REACHED)));
        assertThat(nextDue(List.of(0))).contains(NOW.plusSeconds(1));

        store().settle(List.of(deleted(second)));
        assertThat(nextDue(List.of(0))).isEmpty();
    }

    @Test
    void onlyTimesAfterTheGivenOneCount() {
        given(timer("a").dueAt(NOW));
        given(timer("b").dueAt(NOW.plus(TICK)));
        given(timer("c").shard(1).dueAt(NOW.plusSeconds(5)));

        assertThat(store().nextDue(queue, List.of(0, 1), NOW.minus(TICK)).wakeAt())
                .isEqualTo(NOW);
        assertThat(store().nextDue(queue, List.of(0, 1), NOW).wakeAt()).isEqualTo(NOW.plus(TICK));
        assertThat(store().nextDue(queue, List.of(0, 1), NOW.plus(TICK)).wakeAt())
                .isEqualTo(NOW.plusSeconds(5));
        assertThat(store().nextDue(queue, List.of(0, 1), NOW.plusSeconds(5)).wakeAt())
                .isNull();
        assertThat(store().nextDue(queue, List.of(0, 1), Instant.MAX).wakeAt()).isNull();
    }
}
