package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a process that stops while another node owns its shards, delivers what is due, and gives them back. */
class RegainedShardTest {
    private static final String STRANGER = "stranger";

    private final HangingStore store = new HangingStore();
    private final List<List<Envelope>> batches = new ArrayList<>();
    private Runnable onFirstBatch = () -> {};

    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.shards(1).publisher(this::publish))
            .build();

    /** A store that may hang once, after a read that found something. */
    private static final class HangingStore extends PassThroughStore {
        private Runnable afterRead = () -> {};

        HangingStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = intact.due(query);
            if (!due.timers().isEmpty()) {
                Runnable action = afterRead;
                afterRead = () -> {};
                action.run();
            }
            return due;
        }
    }

    private void publish(Collection<Envelope> batch) throws IOException {
        batches.add(List.copyOf(batch));
        if (batches.size() == 1) {
            onFirstBatch.run();
            throw new IOException("refused");
        }
    }

    /** Stops the node until another node has delivered what is due and has given the shard back. */
    private void loseTheShardAndGetItBack() {
        kit.node(0).pause();
        kit.clock().linger(ShardsTest.LEASE.plusMillis(1));
        ShardLeases leases = store.leases();
        Instant until = kit.now().plus(ShardsTest.LEASE);
        assertThat(leases.acquire("default", List.of(0), STRANGER, kit.now(), until))
                .containsExactly(0);
        DueTimers due = store.intact.due(new DueQuery("default", List.of(0), kit.now(), 10));
        store.settle(due.timers().stream()
                .<Settlement>map(each -> new Settlement.Deleted(each.key(), each.generation()))
                .toList());
        leases.release("default", List.of(0), STRANGER);
        kit.node(0).resume();
        kit.clock().linger(Duration.ofSeconds(1));
        assertThat(ShardsTest.owners(kit)).containsOnlyKeys("node-0");
    }

    @Test
    void aReadFromBeforeTheLossIsNotDelivered() {
        ShardsTest.schedule(kit.node(0), 3, ShardsTest.SECOND);
        store.afterRead = this::loseTheShardAndGetItBack;

        kit.advance(Duration.ofMinutes(1));

        assertThat(batches).isEmpty();
    }

    @Test
    void theSearchForPoisonSkipsTimersReadBeforeTheLoss() {
        ShardsTest.schedule(kit.node(0), 3, ShardsTest.SECOND);
        onFirstBatch = this::loseTheShardAndGetItBack;

        kit.advance(Duration.ofMinutes(1));

        assertThat(batches).hasSize(1);
    }
}
