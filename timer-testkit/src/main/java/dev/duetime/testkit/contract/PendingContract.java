package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that the pending count of a shard is the number of its scheduled timers, counted up to a limit. */
abstract class PendingContract extends ContractPart {

    PendingContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void eachGivenShardHasANumberAlsoAnEmptyOne() {
        given(timer("a").shard(0));
        given(timer("b").shard(0).dueAt(NOW.plusSeconds(9_999)));
        given(timer("c").shard(2));
        given(timer("d").shard(11));

        assertThat(store().pending(queue, List.of(0, 1, 2), 100)).isEqualTo(Map.of(0, 2, 1, 0, 2, 1));
        assertThat(store().pending(queue, List.of(11), 100)).isEqualTo(Map.of(11, 1));
        assertThat(store().pending(queue, List.of(), 100)).isEmpty();
    }

    @Test
    void countingStopsAtTheLimit() {
        for (int i = 0; i < 5; i++) {
            given(timer("t-" + i).shard(i % 2));
        }

        assertThat(store().pending(queue, List.of(0, 1), 3)).isEqualTo(Map.of(0, 3, 1, 2));
        assertThat(store().pending(queue, List.of(0, 1), 2)).isEqualTo(Map.of(0, 2, 1, 2));
        assertThat(store().pending(queue, List.of(0, 1), 1)).isEqualTo(Map.of(0, 1, 1, 1));
    }

    @Test
    void onlyScheduledTimersOfTheQueueCount() {
        given(timer("elsewhere").queue(otherQueue));
        TERMINAL.forEach(state -> given(timer(state.name()), state));
        StoredTimer timer = given(timer("a"));
        assertThat(store().pending(queue, List.of(0), 100)).isEqualTo(Map.of(0, 1));

        store().settle(List.of(retried(timer, NOW.plusSeconds(30))));
        assertThat(store().pending(queue, List.of(0), 100)).isEqualTo(Map.of(0, 1));

        store().settle(List.of(deleted(timer)));
        assertThat(store().pending(queue, List.of(0), 100)).isEqualTo(Map.of(0, 0));
    }
}
