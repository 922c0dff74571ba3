package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.store.DueStore.PendingCount;
import dev.duetime.store.NextDue;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.Settlement.Ended;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the calls for several queues answer as those for one queue do. */
abstract class SnapshotContract extends ContractPart {
    private static final Instant UNTIL = NOW.plusSeconds(10);

    private final String node = unique("n");
    private final String otherNode = unique("n");

    SnapshotContract(ScheduleStoreContract author) {
        super(author);
    }

    private QueueSnapshot snapshot(String of) {
        Map<String, QueueSnapshot> all = store().snapshot(List.of(queue, otherQueue), node);
        assertThat(all).containsOnlyKeys(queue, otherQueue);
        return Objects.requireNonNull(all.get(of));
    }

    private void open(int shards) {
        store().leases().open(queue, OptionalInt.of(shards));
        store().leases().open(otherQueue, OptionalInt.of(shards));
    }

    @Test
    void noQueueHasNoSnapshot() {
        assertThat(store().snapshot(List.of(), node)).isEmpty();
        assertThat(store().leases().views(List.of())).isEmpty();
        assertThat(store().purgeable(Map.of())).isEmpty();
        assertThat(store().pending(List.of())).isEmpty();
    }

    @Test
    void aQueueWithoutShardsHasAnEmptySnapshot() {
        assertThat(snapshot(queue).shards().leases()).isEmpty();
        assertThat(snapshot(queue).next()).isEqualTo(new NextDue(null, null));
    }

    @Test
    void leasesAndAnnouncementsAreThoseOfTheView() {
        open(3);
        store().leases().acquire(queue, List.of(0, 2), node, NOW, UNTIL);
        store().leases().acquire(otherQueue, List.of(1), otherNode, NOW, UNTIL.plus(TICK));
        store().leases().acquire(otherQueue, List.of(), node, NOW, UNTIL);

        assertThat(snapshot(queue).shards()).isEqualTo(store().leases().view(queue));
        assertThat(snapshot(otherQueue).shards()).isEqualTo(store().leases().view(otherQueue));
        assertThat(snapshot(otherQueue).shards().announced()).containsOnlyKeys(node, otherNode);
        assertThat(store().leases().views(List.of(otherQueue, queue)))
                .isEqualTo(Map.of(
                        queue,
                        store().leases().view(queue),
                        otherQueue,
                        store().leases().view(otherQueue)));
        store().leases().letGo();
    }

    @Test
    void theEarliestTimerInShardsOfTheNodeIsNext() {
        open(4);
        given(timer("a").shard(0).dueAt(NOW));
        given(timer("b").shard(1).dueAt(NOW.plusSeconds(5)));
        given(timer("c").shard(2).dueAt(NOW.plusSeconds(4)));
        given(timer("d").shard(2).dueAt(NOW.plusSeconds(3)));
        given(timer("e").queue(otherQueue).shard(1).dueAt(NOW.minusSeconds(1)));
        assertThat(snapshot(queue).next().wakeAt()).isNull();

        store().leases().acquire(queue, List.of(1, 2, 3), node, NOW, UNTIL);
        store().leases().acquire(queue, List.of(0), otherNode, NOW, UNTIL);
        assertThat(snapshot(queue).next().wakeAt()).isEqualTo(NOW.plusSeconds(3));
        assertThat(snapshot(otherQueue).next().wakeAt()).isNull();

        store().leases().acquire(otherQueue, List.of(1), node, NOW, UNTIL);
        assertThat(snapshot(otherQueue).next().wakeAt()).isEqualTo(NOW.minusSeconds(1));
        store().leases().letGo();
    }

    /** A shard counts until another node has taken it: the holder decides whether its lease has ended. */
    @Test
    void aShardWhoseLeaseHasEndedStillCounts() {
        open(1);
        given(timer("a").shard(0).dueAt(NOW));
        store().leases().acquire(queue, List.of(0), node, NOW.minusSeconds(99), NOW.minusSeconds(89));

        assertThat(snapshot(queue).next().wakeAt()).isEqualTo(NOW);
        store().leases().letGo();
    }

    @Test
    void onlyScheduledTimersAreNext() {
        open(1);
        store().leases().acquire(queue, List.of(0), node, NOW, UNTIL);
        TERMINAL.forEach(state -> given(timer(state.name()).shard(0), state));

        assertThat(snapshot(queue).next().wakeAt()).isNull();
        store().leases().letGo();
    }

    @Test
    void aPauseIsThatOfItsQueue() {
        open(1);
        QueuePause pause = new QueuePause(NOW, node, "anna", "the broker moves");
        store().admin().pause(otherQueue, pause);

        assertThat(snapshot(otherQueue).next().pause()).isEqualTo(pause);
        assertThat(snapshot(queue).next().pause()).isNull();

        store().admin().resume(otherQueue);
        store().admin().pause(queue, new QueuePause(NOW, node, null, null));
        assertThat(snapshot(otherQueue).next().pause()).isNull();
        assertThat(snapshot(queue).next().pause()).isEqualTo(new QueuePause(NOW, node, null, null));
        store().admin().resume(queue);
    }

    @Test
    void aQueueWithATimerToPurgeIsNamed() {
        StoredTimer timer = given(timer("a"));
        store().settle(List.of(new Ended(timer.key(), timer.generation(), TimerState.REACHED, NOW, 1, null)));
        given(timer("b"));
        given(timer("c").queue(otherQueue), TimerState.DEAD);
        Map<String, Instant> before = Map.of(queue, NOW.plus(TICK), otherQueue, NOW.plusSeconds(99_999));

        assertThat(store().purgeable(before)).contains(queue);
        assertThat(store().purge(otherQueue, NOW.plusSeconds(99_999), 10)).isZero();
        assertThat(store().purge(queue, NOW.plus(TICK), 10)).isOne();
    }

    @Test
    void eachQueueHasItsOwnCounts() {
        given(timer("a").shard(0));
        given(timer("b").shard(0));
        given(timer("c").shard(1));
        given(timer("d").queue(otherQueue).shard(0));

        assertThat(store().pending(List.of(
                        new PendingCount(queue, List.of(0, 1, 2), 100), new PendingCount(otherQueue, List.of(0), 1))))
                .isEqualTo(Map.of(queue, Map.of(0, 2, 1, 1, 2, 0), otherQueue, Map.of(0, 1)));
    }

    /** More shards than one statement of any database can name. */
    @Test
    void aThousandShardsAreCounted() {
        given(timer("a").shard(999));
        List<Integer> shards = IntStream.range(0, 1_000).boxed().toList();

        Map<Integer, Integer> counts =
                store().pending(List.of(new PendingCount(queue, shards, 5))).getOrDefault(queue, Map.of());

        assertThat(counts).hasSize(1_000).containsEntry(999, 1).containsEntry(0, 0);
        assertThat(counts.values().stream().filter(each -> each > 0)).hasSize(1);
    }
}
