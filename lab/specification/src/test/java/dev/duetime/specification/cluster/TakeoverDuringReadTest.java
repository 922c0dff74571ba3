package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of attempts that another node makes while the owner of a shard reads or delivers a backlog. */
class TakeoverDuringReadTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(10);

    @Test
    void aTakeoverDuringAReadIsCountedByTheNextRead() {
        SlowRead store = new SlowRead();
        try (TimerKit cluster = TimerKit.builder()
                .store(store)
                .nodes(2)
                .configure(scheduler -> scheduler.shards(16))
                .build()) {
            cluster.advance(ShardsTest.SETTLED);
            ShardsTest.schedule(cluster.node(1), 100, SECOND);
            cluster.node(0).crashBefore(StoreCall.SETTLE);
            cluster.advance(SECOND);
            List<String> repeated = cluster.delivered().stream()
                    .map(each -> each.key().timerId())
                    .filter(each -> cluster.store()
                                    .find(TimerKey.of(each))
                                    .orElseThrow()
                                    .state()
                            == TimerState.SCHEDULED)
                    .toList();
            // This read is so slow that the node takes the shards of the crashed node over before it ends.
            store.lingering = () -> cluster.clock().linger(LEASE.multipliedBy(2));
            cluster.node(1)
                    .scheduler()
                    .scheduleAll(IntStream.range(0, 100)
                            .mapToObj(i -> Timer.after("later-" + i, SECOND).build())
                            .toList());
            cluster.advance(Duration.ofMinutes(1));

            assertThat(repeated)
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(cluster.delivered(each))
                            .extracting(Envelope::attempt)
                            .containsExactly(1, 1));
        }
    }

    @Test
    void aTakeoverBetweenTwoReadsOfABacklogIsCounted() {
        try (TimerKit cluster = TimerKit.builder()
                .nodes(2)
                .configure(scheduler -> scheduler.batchSize(10).shards(1).leaseDuration(Duration.ofMillis(100)))
                .build()) {
            KitNode owner = cluster.node(0);
            KitNode other = cluster.node(1);
            cluster.runDue();
            other.pause();
            scheduleMillisApart(owner, 31);
            cluster.publisher().onEach(envelope -> {
                switch (envelope.key().timerId()) {
                    case "t-0" -> cluster.clock().linger(Duration.ofMillis(100));
                    case "t-1" -> cluster.clock().linger(Duration.ofMillis(260));
                    case "t-11" -> {
                        if (other.clock().isRunningHere()) {
                            return;
                        }
                        // The other node takes the shard over, delivers a new timer and crashes. Then the owner
                        // gets the shard back.
                        owner.storeDown();
                        other.resume();
                        other.scheduler()
                                .schedule(Timer.at("late", TestClock.START).build());
                        lingerUntil(cluster, other::isCrashed);
                        owner.storeUp();
                        cluster.clock().linger(Duration.ofMillis(200));
                    }
                    case "late" -> {
                        if (other.clock().isRunningHere()) {
                            other.crash();
                        }
                    }
                    default -> {}
                }
            });
            cluster.advance(SECOND.multipliedBy(3));

            assertThat(cluster.delivered("late")).extracting(Envelope::attempt).containsExactly(1, 2);
        }
    }

    private static void scheduleMillisApart(KitNode node, int count) {
        node.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i ->
                                Timer.after("t-" + i, Duration.ofMillis(i + 1)).build())
                        .toList());
    }

    private static void lingerUntil(TimerKit cluster, BooleanSupplier happened) {
        for (int i = 0; i < 40 && !happened.getAsBoolean(); i++) {
            cluster.clock().linger(Duration.ofMillis(10));
        }
        assertThat(happened.getAsBoolean()).isTrue();
    }

    private static final class SlowRead extends PassThroughStore {
        Runnable lingering = () -> {};

        SlowRead() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers read = super.due(query);
            Runnable once = lingering;
            lingering = () -> {};
            once.run();
            return read;
        }
    }
}
