package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The rule that due timers are the scheduled timers of the given shards with {@code from <= wakeAt <= now}, oldest
 * first.
 */
abstract class DueContract extends ContractPart {
    private static final Instant LATER = NOW.plusSeconds(60);

    DueContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void nothingIsDueInAnEmptyQueue() {
        given(timer("a").queue(otherQueue));

        DueTimers due = due(NOW, List.of(0, 1, 2, 3), 100);

        assertThat(due.timers()).isEmpty();
        assertThat(due.more()).isFalse();
    }

    @Test
    void aTimerIsDueAtItsTimeAndNotAMicrosecondBefore() {
        given(timer("a"));

        assertThat(dueKeys(NOW.minus(TICK), 0)).isEmpty();
        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"));
        assertThat(dueKeys(NOW.plus(TICK), 0)).containsExactly(key("a"));
    }

    @Test
    void timersThatWakeBeforeTheGivenTimeAreNotRead() {
        for (int i = 0; i < 6; i++) {
            given(timer("t" + i).shard(i % 3).dueAt(NOW.plus(TICK.multipliedBy(i))));
        }

        DueTimers due = store().due(new DueQuery(queue, List.of(0, 1, 2), NOW.plus(TICK.multipliedBy(2)), LATER, 2));

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("t2"), key("t3"));
        assertThat(due.more()).isTrue();
        assertThat(dueKeysFrom(NOW.plus(TICK.multipliedBy(4)))).containsExactly(key("t4"), key("t5"));
        assertThat(dueKeysFrom(NOW.plus(TICK.multipliedBy(4)).minusNanos(1))).containsExactly(key("t4"), key("t5"));
        assertThat(dueKeysFrom(NOW.plus(TICK.multipliedBy(4)).plusNanos(1))).containsExactly(key("t5"));
        assertThat(dueKeysFrom(Instant.MIN)).hasSize(6);
        assertThat(dueKeysFrom(Instant.MAX)).isEmpty();
    }

    private List<TimerKey> dueKeysFrom(Instant from) {
        DueQuery query = new DueQuery(queue, List.of(0, 1, 2), from, LATER, 100);
        return store().due(query).timers().stream().map(StoredTimer::key).toList();
    }

    @Test
    void aTimerThatIsNotYetDueDoesNotCountAsMore() {
        given(timer("a"));
        given(timer("b").dueAt(NOW.plus(TICK)));

        DueTimers due = due(NOW, List.of(0), 100);

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("a"));
        assertThat(due(NOW.minus(TICK), List.of(0), 100)).isEqualTo(new DueTimers(List.of(), false));
    }

    @Test
    void dueTimersAreReadAsTheyAreStored() {
        StoredTimer timer = given(timer("a")
                .shard(2)
                .expiresAt(NOW.plusSeconds(1))
                .type("x")
                .payload("{}")
                .headers(Map.of("h", "v"))
                .priority(3)
                .correlationId("c")
                .parallelKey("p")
                .correlationKey("k")
                .recurrence("PT1H"));
        StoredTimer other = given(timer("b").shard(2).dueAt(NOW.minusSeconds(1)));
        store().settle(List.of(retried(other, NOW)));

        assertThat(due(NOW, List.of(2), 100).timers()).containsExactlyInAnyOrder(timer, stored("b"));
    }

    @Test
    void theOldestIsFirstAcrossShards() {
        given(timer("d").shard(0).dueAt(NOW));
        given(timer("a").shard(1).dueAt(NOW.minusSeconds(1)));
        given(timer("c").shard(2).dueAt(NOW.minusSeconds(3)));
        given(timer("e").shard(1).dueAt(NOW.minusSeconds(3).minus(TICK)));
        given(timer("b").shard(0).dueAt(NOW.minusSeconds(2)));

        assertThat(dueKeys(NOW, 2, 0, 1)).containsExactly(key("e"), key("c"), key("b"), key("a"), key("d"));
    }

    @Test
    void neitherPriorityNorRegistrationChangesTheOrder() {
        given(timer("urgent").dueAt(NOW).priority(9).registeredAt(NOW.minusSeconds(9)));
        given(timer("old").dueAt(NOW.minus(TICK)).priority(-9).registeredAt(NOW));

        assertThat(dueKeys(NOW, 0)).containsExactly(key("old"), key("urgent"));
    }

    @Test
    void theOldestIsFirstByTheTimeOfItsRetry() {
        StoredTimer failed = given(timer("failed").dueAt(NOW.minusSeconds(60)));
        given(timer("a").dueAt(NOW.minusSeconds(2)));
        given(timer("b").dueAt(NOW));
        store().settle(List.of(retried(failed, NOW.minusSeconds(1))));

        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"), key("failed"), key("b"));
    }

    @Test
    void aRetriedTimerIsDueAtItsRetryAndNotAMicrosecondBefore() {
        StoredTimer timer = given(timer("a"));
        store().settle(List.of(retried(timer, NOW.plusSeconds(30))));

        assertThat(dueKeys(NOW.plusSeconds(30).minus(TICK), 0)).isEmpty();
        assertThat(dueKeys(NOW.plusSeconds(30), 0)).containsExactly(key("a"));
    }

    @Test
    void onlyTheGivenShardsAreRead() {
        for (int shard = 0; shard < 12; shard++) {
            given(timer("s" + shard).shard(shard).dueAt(NOW.minusSeconds(shard)));
        }

        assertThat(dueKeys(NOW, 1)).containsExactly(key("s1"));
        assertThat(dueKeys(NOW, 0, 11, 5)).containsExactly(key("s11"), key("s5"), key("s0"));
        assertThat(dueKeys(NOW, 12, 1_000)).isEmpty();
        assertThat(dueKeys(NOW)).isEmpty();
    }

    @Test
    void onlyTheGivenQueueIsRead() {
        given(timer("a"));
        given(timer("b").queue(otherQueue));
        given(timer("c").queue(queue + "x"));

        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"));
    }

    @Test
    void allTenantsOfAQueueAreRead() {
        given(timer("a"));
        given(timer(TimerKey.of(otherTenant, "a")).dueAt(NOW.minus(TICK)));

        assertThat(dueKeys(NOW, 0)).containsExactly(TimerKey.of(otherTenant, "a"), key("a"));
    }

    @Test
    void onlyScheduledTimersAreDue() {
        TERMINAL.forEach(state -> given(timer(state.name()), state));
        given(timer("a"));
        StoredTimer deleted = given(timer("b"));
        store().settle(List.of(deleted(deleted)));

        assertThat(dueKeys(NOW.plusSeconds(99), 0)).containsExactly(key("a"));
    }

    @Test
    void expiredTimersAreDue() {
        given(timer("a").expiresAt(NOW));

        assertThat(dueKeys(NOW.plusSeconds(1), 0)).containsExactly(key("a"));
    }

    @Test
    void readingChangesNothing() {
        given(timer("a").dueAt(NOW.minusSeconds(1)));
        given(timer("b"));

        assertThat(due(NOW, List.of(0), 100)).isEqualTo(due(NOW, List.of(0), 100));
        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"), key("b"));
    }

    @Test
    void aTimerThatCommitsLateIsDueAfterLaterTimersWereRead() {
        StoredTimer first = given(timer("a"));
        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"));
        store().settle(List.of(ended(first, TimerState.REACHED)));

        given(timer("late").dueAt(NOW.minusSeconds(60)));

        assertThat(dueKeys(NOW, 0)).containsExactly(key("late"));
    }

    private DueTimers withinBytes(long bytes) {
        return store().due(new DueQuery(queue, List.of(0), Instant.MIN, NOW, 100, Exclusion.NONE, bytes, Map.of()));
    }

    @Test
    void payloadsHeadersAndErrorsCountForTheLimitOfBytes() {
        given(timer("a").dueAt(NOW.minusSeconds(6)).payload(new byte[10_000]));
        given(timer("b").dueAt(NOW.minusSeconds(5)).headers(Map.of("h", "v".repeat(10_000))));
        given(timer("c").dueAt(NOW.minusSeconds(4)).headers(Map.of("baggage", "v".repeat(10_000))));
        StoredTimer failed = given(timer("d").dueAt(NOW.minusSeconds(4)));
        store().settle(List.of(retried(failed, NOW.minusSeconds(3), "e".repeat(1_000))));
        given(timer("e").dueAt(NOW.minusSeconds(2)).headers(Map.of("h", "v".repeat(10_000))));
        given(timer("f").dueAt(NOW.minusSeconds(1)));

        assertThat(withinBytes(5_000).timers()).containsExactly(stored("a"));
        assertThat(withinBytes(15_000).timers()).containsExactly(stored("a"));
        assertThat(withinBytes(25_000).timers()).containsExactly(stored("a"), stored("b"));
        assertThat(withinBytes(30_500).timers()).containsExactly(stored("a"), stored("b"), stored("c"));
        assertThat(withinBytes(31_500).timers()).extracting(StoredTimer::key).endsWith(key("c"), key("d"));
        assertThat(withinBytes(31_500).more()).isTrue();
        assertThat(withinBytes(50_000).timers())
                .containsExactly(stored("a"), stored("b"), stored("c"), stored("d"), stored("e"), stored("f"));
        assertThat(withinBytes(50_000).more()).isFalse();
    }

    @Test
    void largeTimersAreReadAsTheyAreStored() {
        String large = "é".repeat(4_000);
        StoredTimer everything = given(full("a")
                .shard(0)
                .payload(large)
                .headers(Map.of("h", large, "traceparent", "t", "baggage", large))
                .dueAt(NOW.minusSeconds(2)));
        store().settle(List.of(retried(everything, NOW.minusSeconds(2), "e".repeat(1_000))));
        StoredTimer small = given(timer("b").headers(Map.of("traceparent", "t")));
        store().settle(List.of(retried(small, NOW.minusSeconds(1), "e")));

        assertThat(withinBytes(50_000).timers()).containsExactly(stored("a"), stored("b"));
    }
}
