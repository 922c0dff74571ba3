package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.store.WakeUps.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that a hint is seen by the next look of each node, and pushed where the store can. */
abstract class WakeUpContract extends ContractPart {
    /** Far longer than a store takes, and only waited for in a test that fails. */
    private static final Duration LONG = Duration.ofSeconds(20);

    WakeUpContract(ScheduleStoreContract author) {
        super(author);
    }

    @BeforeEach
    @SuppressWarnings("ReferenceEquality")
    void onlyStoresWithHints() {
        assumeTrue(store().wakeUps() != WakeUps.NONE, "the store has no hints between nodes");
    }

    private Optional<Sent> sent(String name) {
        return store().wakeUps().sent().stream()
                .filter(each -> each.queue().equals(name))
                .findFirst();
    }

    private WakeUp wakeUp(String name, Instant dueAt) {
        return new WakeUp(name, Set.of(1, 3), dueAt);
    }

    @Test
    void aQueueWithoutHintsIsNotAmongThoseRead() {
        store().wakeUps().send(List.of());

        assertThat(sent(queue)).isEmpty();
    }

    @Test
    void eachHintRaisesTheCountOfItsQueueByOneAndNamesItsDueTime() {
        store().wakeUps().send(List.of(wakeUp(queue, NOW)));
        assertThat(sent(queue)).contains(new Sent(queue, 1, NOW));

        store().wakeUps().send(List.of(wakeUp(queue, NOW.plus(TICK))));
        assertThat(sent(queue)).contains(new Sent(queue, 2, NOW.plus(TICK)));

        store().wakeUps().send(List.of(wakeUp(queue, NOW.minus(TICK))));
        assertThat(sent(queue)).contains(new Sent(queue, 3, NOW.minus(TICK)));
    }

    @Test
    void hintsOfSeveralQueuesAreSentTogether() {
        store().wakeUps().send(List.of(wakeUp(otherQueue, NOW)));
        store().wakeUps().send(List.of(wakeUp(queue, NOW), wakeUp(otherQueue, NOW.plus(TICK))));

        assertThat(sent(queue)).contains(new Sent(queue, 1, NOW));
        assertThat(sent(otherQueue)).contains(new Sent(otherQueue, 2, NOW.plus(TICK)));
    }

    @Test
    void noHintIsLostInARaceForTheFirstOne() {
        Race.of(i -> () -> {
            store().wakeUps().send(List.of(wakeUp(queue, NOW), wakeUp(otherQueue, NOW)));
            return i;
        });

        assertThat(sent(queue)).contains(new Sent(queue, Race.THREADS, NOW));
        assertThat(sent(otherQueue)).contains(new Sent(otherQueue, Race.THREADS, NOW));
    }

    @Test
    void aReceiverGetsWhatIsSentAfterItBegan() {
        Optional<WakeUps.Receiver> opened = store().wakeUps().receive();
        assumeTrue(opened.isPresent(), "the store pushes no hints");
        try (WakeUps.Receiver receiver = opened.get()) {
            WakeUp hint = wakeUp(queue, NOW);
            store().wakeUps().send(List.of(hint, wakeUp(otherQueue, NOW.plus(TICK))));

            assertThat(await(receiver, queue)).isEqualTo(hint);
        }
    }

    @Test
    void aHintOfMoreShardsThanAMessageHoldsIsForAllShards() {
        Optional<WakeUps.Receiver> opened = store().wakeUps().receive();
        assumeTrue(opened.isPresent(), "the store pushes no hints");
        try (WakeUps.Receiver receiver = opened.get()) {
            Set<Integer> shards = IntStream.range(10_000, 14_000).boxed().collect(Collectors.toSet());
            store().wakeUps().send(List.of(new WakeUp(queue, shards, NOW)));

            assertThat(await(receiver, queue).shards()).isIn(Set.of(), shards);
        }
    }

    @Test
    void aReceiverCanBeClosedTwiceAndOpenedAgain() {
        Optional<WakeUps.Receiver> opened = store().wakeUps().receive();
        assumeTrue(opened.isPresent(), "the store pushes no hints");
        opened.get().close();
        opened.get().close();
        store().wakeUps().send(List.of(wakeUp(otherQueue, NOW)));
        try (WakeUps.Receiver again = store().wakeUps().receive().orElseThrow()) {
            store().wakeUps().send(List.of(wakeUp(queue, NOW)));

            assertThat(await(again, queue)).isEqualTo(wakeUp(queue, NOW));
        }
    }

    /** Other tests may send hints of their queues at the same time. */
    private static WakeUp await(WakeUps.Receiver receiver, String name) {
        long began = System.nanoTime();
        while (System.nanoTime() - began < LONG.toNanos()) {
            for (WakeUp each : receiver.await(Duration.ofMillis(100))) {
                if (each.queue().equals(name)) {
                    return each;
                }
            }
        }
        throw new AssertionError("no hint of queue " + name + " arrived within " + LONG);
    }
}
