package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a close while the publisher is at work. */
class CloseInDeliveryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TimerKit kit =
            TimerKit.builder().configure(scheduler -> scheduler.batchSize(10)).build();

    private void schedule(int count) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
    }

    private TimerState state(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private List<Lease> held() {
        return kit.store().leases().view("default").leases().stream()
                .filter(lease -> lease.owner() != null)
                .toList();
    }

    @Test
    void theSearchForAPoisonEnvelopeEndsWithTheCallUnderWay() {
        List<Integer> calls = new ArrayList<>();
        List<TimerKit> itself = new ArrayList<>();
        TimerKit searching = TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(batch -> {
                    calls.add(batch.size());
                    if (calls.size() == 2) {
                        itself.get(0).node(0).close();
                    } else {
                        throw new IOException("refused");
                    }
                }))
                .build();
        itself.add(searching);
        searching
                .scheduler()
                .scheduleAll(IntStream.range(0, 8)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
        searching.advance(SECOND);
        assertThat(calls).containsExactly(8, 1);
    }

    @Test
    void noFurtherBatchOfABacklogBegins() {
        List<Integer> calls = new ArrayList<>();
        List<TimerKit> itself = new ArrayList<>();
        TimerKit busy = TimerKit.builder()
                .configure(scheduler -> scheduler.batchSize(10).publisher(batch -> {
                    calls.add(batch.size());
                    if (calls.size() == 4) {
                        itself.get(0).node(0).close();
                    }
                }))
                .build();
        itself.add(busy);
        busy.scheduler()
                .scheduleAll(IntStream.range(0, 400)
                        .mapToObj(
                                i -> Timer.after("t-" + i, SECOND.plusMillis(i)).build())
                        .toList());
        busy.node(0).pause();
        busy.advance(SECOND.multipliedBy(3));
        busy.node(0).resume();
        busy.advance(SECOND);
        assertThat(calls).hasSize(4);
    }

    @Test
    void aCloseFromInsideThePublisherFinishesTheCurrentBatchOnly() {
        kit.publisher().onEach(envelope -> kit.scheduler().close());
        schedule(30);
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredCount(10);
        assertThat(kit.delivered())
                .allSatisfy(each -> assertThat(state(each.key().timerId())).isEqualTo(TimerState.REACHED));
    }

    @Test
    void aCloseFromInsideThePublisherLeavesTheOtherBatches() {
        kit.publisher().onEach(envelope -> kit.node(0).close());
        schedule(30);
        kit.advance(SECOND);
        kit.addNode();
        kit.advance(Duration.ofSeconds(20));
        assertThat(kit).hasDeliveredCount(30);
    }

    @Test
    void aCloseFromInsideThePublisherReleasesTheShardsAfterTheBatch() {
        kit.publisher().onEach(envelope -> kit.node(0).close());
        schedule(1);
        kit.advance(SECOND);
        assertThat(held()).isEmpty();
    }

    @Test
    void aCloseFromAnotherThreadSettlesTheBatchAndReleasesTheShards() throws InterruptedException {
        List<String> order = new ArrayList<>();
        Thread closer = new Thread(() -> {
            kit.scheduler().close();
            order.add("closed, holding " + held().size() + " shards, t-0 " + state("t-0"));
        });
        kit.publisher().onEach(envelope -> {
            closer.start();
            awaitWaiting(closer);
            order.add("published");
        });
        schedule(1);
        kit.advance(SECOND);
        closer.join();
        assertThat(order).containsExactly("published", "closed, holding 0 shards, t-0 REACHED");
    }

    @Test
    void aPublisherThatExceedsTheLimitIsInterrupted() throws InterruptedException {
        TimerKit impatient = TimerKit.builder()
                .configure(scheduler -> scheduler.closeTimeout(Duration.ZERO))
                .build();
        Thread closer = new Thread(() -> impatient.scheduler().close());
        KitNode stuck = impatient.node(0);
        InMemoryPublisher healthy = new InMemoryPublisher();
        impatient.publisher().onEach(envelope -> {
            closer.start();
            hang();
        });
        stuck.scheduler().schedule(Timer.after("t-0", SECOND).build());
        impatient.advance(SECOND);
        closer.join();
        impatient.addNode(scheduler -> scheduler.publisher(healthy));
        impatient.advance(Duration.ofSeconds(20));
        assertThat(healthy).hasDeliveredOnce("t-0");
    }

    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
