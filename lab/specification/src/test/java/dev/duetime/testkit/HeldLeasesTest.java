package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.TimerKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases whose rows another transaction holds. They end for other nodes, so they end for their owner too. */
class HeldLeasesTest {

    /** Leases that nobody can write while they are held; reads see them as they were. */
    private static final class HeldLeases extends PassThroughStore {
        private volatile boolean held;
        private int acquires;

        HeldLeases(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Set<Integer> acquire(
                        String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
                    acquires++;
                    return held ? Set.of() : intact.acquire(queue, shards, node, now, until);
                }

                @Override
                public int renew(String node, Instant until) {
                    return held ? 0 : intact.renew(node, until);
                }
            };
        }
    }

    @Test
    void aShardThatAnotherTransactionHoldsIsAskedForFourTimesASecond() {
        TestClock clock = new TestClock().everyTurn(true);
        HeldLeases store = new HeldLeases(new InMemoryScheduleStore(clock));
        store.held = true;
        try (Scheduler scheduler = Scheduler.builder()
                .clock(clock)
                .store(store)
                .publisher(batch -> {})
                .build()) {
            scheduler.start();
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.acquires).isBetween(60, 300);

            store.held = false;
            clock.advance(Duration.ofMillis(250));
            assertThat(scheduler.admin().health().queues().get(0).ownedShards()).isPositive();
        }
    }

    @Test
    void aNodeDeliversNothingFromShardsWhoseLeasesItCouldNotRenew() {
        TestClock clock = new TestClock().everyTurn(true);
        HeldLeases store = new HeldLeases(new InMemoryScheduleStore(clock));
        InMemoryPublisher publisher = new InMemoryPublisher();
        try (Scheduler scheduler = Scheduler.builder()
                .clock(clock)
                .store(store)
                .publisher(publisher)
                .build()) {
            scheduler.start();
            clock.advance(Duration.ofSeconds(30));
            scheduler.schedule(TimerKey.of("before"), Duration.ofSeconds(2), null);
            scheduler.schedule(TimerKey.of("after"), Duration.ofSeconds(11), null);

            store.held = true;
            clock.advance(Duration.ofSeconds(20));
            assertThat(publisher).hasDelivered("before").hasNotDelivered("after");

            store.held = false;
            clock.advance(Duration.ofSeconds(5));
            assertThat(publisher).hasDeliveredOnce("after");
        }
    }
}
