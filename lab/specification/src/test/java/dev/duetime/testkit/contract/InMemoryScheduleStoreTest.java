package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what the in-memory store does in addition to the contract. */
class InMemoryScheduleStoreTest {
    private static final Instant NOW = ContractPart.NOW;

    private final InMemoryScheduleStore store = new InMemoryScheduleStore(new StoppedClock());

    @Test
    void theTimeOfTheStoreIsThatOfTheClock() {
        assertThat(store.leases().now()).isEqualTo(new StoppedClock().now());
    }

    @Test
    void aQueueHasFourShardsByDefault() {
        assertThat(store.leases().open("q", OptionalInt.empty())).isEqualTo(4);
    }

    @Test
    void theDefaultCanBeSet() {
        InMemoryScheduleStore wide = new InMemoryScheduleStore(new StoppedClock(), 9);

        assertThat(wide.leases().open("q", OptionalInt.empty())).isEqualTo(9);
    }

    @Test
    void fewerThanOneShardAreRefused() {
        assertThatThrownBy(() -> new InMemoryScheduleStore(new StoppedClock(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shards must be at least 1 but was 0");
    }

    @Test
    void aHundredThousandTimersAreReadPageByPageQuickly() {
        List<NewTimer> timers = IntStream.range(0, 100_000)
                .mapToObj(i -> timer("t" + i).shard(i % 4).dueAt(NOW.minusMillis(i * 37L % 100_000)))
                .map(TimerDraft::build)
                .toList();
        store.schedule(timers);

        int reached = 0;
        DueTimers page;
        do {
            page = due(500);
            reached += store.settle(page.timers().stream()
                    .map(timer -> ContractPart.ended(timer, TimerState.REACHED))
                    .toList());
        } while (page.more());

        assertThat(reached).isEqualTo(100_000);
        assertThat(store.purge("q", Instant.MAX, Integer.MAX_VALUE)).isEqualTo(100_000);
    }

    @Test
    void timersDueAtTheSameTimeAreInOrderOfRegistrationThenKey() {
        store.schedule(List.of(
                timer("b").shard(1).build(),
                timer("c").shard(0).registeredAt(NOW.minusSeconds(9_999)).build(),
                timer("a").shard(2).build()));

        assertThat(due(100).timers())
                .extracting(StoredTimer::key)
                .containsExactly(TimerKey.of("c"), TimerKey.of("a"), TimerKey.of("b"));
    }

    @Test
    void aCommitFailsWhereOthersChangedAnItemMeanwhile() {
        ListItem item = new ListItem(new ListKey("list", "a"), NOW);
        ListItem moved = new ListItem(item.key(), NOW.plusSeconds(1));
        store.todos().put(List.of(item));
        InMemoryTransaction transaction = store.begin();
        store.in(transaction).todos().remove(List.of(item.key()));

        store.todos().put(List.of(moved));

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(StoreException.class)
                .hasMessage("commit list/a failed: the item was changed by others meanwhile");
        assertThat(store.todos().find(item.key())).contains(moved);
    }

    @Test
    void aCommitFailsWhereOthersChangedATimerMeanwhile() {
        store.schedule(List.of(timer("a").build(), timer("b").build()));
        StoredTimer before = store.find(TimerKey.of("a")).orElseThrow();
        InMemoryTransaction transaction = store.begin();
        store.in(transaction)
                .schedule(List.of(timer("a").payload("x").build(), timer("c").build()));

        store.settle(List.of(ContractPart.ended(before, TimerState.REACHED)));

        assertThatThrownBy(transaction::commit)
                .isInstanceOf(StoreException.class)
                .hasMessage("commit default/a failed: the timer was changed by others meanwhile");
        assertThat(store.find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        assertThat(store.find(TimerKey.of("c"))).isEmpty();
    }

    @Test
    void aCommitSucceedsWhereOthersChangedOtherTimers() {
        store.schedule(List.of(timer("b").build()));
        StoredTimer other = store.find(TimerKey.of("b")).orElseThrow();
        InMemoryTransaction transaction = store.begin();
        store.in(transaction).schedule(List.of(timer("a").build()));
        store.in(transaction).find(TimerKey.of("b"));

        store.settle(List.of(new Settlement.Deleted(other.key(), other.generation())));
        transaction.commit();

        assertThat(store.find(TimerKey.of("a"))).isPresent();
    }

    @Test
    void anEndedTransactionIsRefused() {
        InMemoryTransaction transaction = store.begin();
        store.in(transaction).schedule(List.of(timer("a").build()));
        transaction.commit();
        transaction.close();

        assertThat(store.find(TimerKey.of("a"))).isPresent();
        assertThatThrownBy(transaction::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.in(transaction).find(TimerKey.of("a")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () -> store.in(transaction).schedule(List.of(timer("a").build())))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.in(transaction).cancel(TimerKey.of("a"), NOW))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingRollsBack() {
        try (InMemoryTransaction transaction = store.begin()) {
            store.in(transaction).schedule(List.of(timer("a").build()));
        }

        assertThat(store.schedule(List.of(timer("a").build())))
                .extracting(result -> result.outcome())
                .containsExactly(ScheduleOutcome.CREATED);
    }

    @Test
    void aTransactionOfAnotherStoreIsRefused() {
        InMemoryTransaction ofOther = new InMemoryScheduleStore(new StoppedClock()).begin();

        assertThatThrownBy(() -> store.in(ofOther)).isInstanceOf(IllegalArgumentException.class);
    }

    private DueTimers due(int limit) {
        return store.due(new DueQuery("q", List.of(0, 1, 2, 3), NOW, limit));
    }

    private static TimerDraft timer(String timerId) {
        return new TimerDraft(TimerKey.of(timerId), "q");
    }
}
