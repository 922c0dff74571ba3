package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a shard has one owner at a time, also while it changes hands. The simulation found each of these cases.
 */
class HandoverTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final SlowReads store = new SlowReads();
    private final TimerKit kit = TimerKit.builder().store(store).build();

    /** A store that lets a node do something after its next read. */
    private static final class SlowReads extends PassThroughStore {
        Runnable afterNextRead = () -> {};

        SlowReads() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            Runnable once = afterNextRead;
            afterNextRead = () -> {};
            once.run();
            return due;
        }
    }

    private KitNode running() {
        return kit.nodes().stream()
                .filter(each -> each.clock().isRunningHere())
                .findFirst()
                .orElseThrow();
    }

    private void schedule(int count, Duration delay) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.after("t-" + i, delay).build())
                        .toList());
    }

    private void assertAllHeldFor(Duration atLeast) {
        assertThat(kit.store().leases().view("default").leases())
                .allSatisfy(lease ->
                        assertThat(lease.until()).isAfterOrEqualTo(kit.now().plus(atLeast)));
    }

    @Test
    void aNodeRenewsItsLeasesBeforeItDeliversAgain() {
        kit.node(0).crash();
        kit.advance(LEASE.plus(SECOND));
        kit.node(0).restart();
        kit.runDue();
        assertAllHeldFor(LEASE);
    }

    @Test
    void timersReadBeforeALongPauseAreLeftToTheNewOwner() {
        schedule(8, SECOND);
        store.afterNextRead = () -> {
            KitNode node = running();
            node.pause();
            kit.addNode();
            kit.clock().linger(LEASE.multipliedBy(2));
            node.resume();
        };
        kit.advance(LEASE.multipliedBy(6));
        assertThat(kit.delivered()).hasSize(8);
    }

    @Test
    void aShardIsGivenBackWhenTheDeliveriesFromItAreSettled() {
        schedule(8, SECOND);
        kit.publisher().onEach(envelope -> kit.clock().linger(SECOND));
        KitNode joined = kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.delivered()).hasSize(8);
        assertThat(kit.store().leases().view("default").leases())
                .filteredOn(lease -> String.valueOf(lease.owner()).startsWith(joined.id()))
                .hasSize(2);
    }

    @Test
    void aShardToBeReleasedIsNotReadAnyMore() {
        kit.publisher().onEach(envelope -> kit.clock().linger(LEASE.dividedBy(2)));
        schedule(8, SECOND);
        kit.addNode();
        kit.advance(LEASE.multipliedBy(2));
        kit.publisher().onEach(envelope -> {});
        schedule(8, SECOND.multipliedBy(2));
        kit.advance(Duration.ofMinutes(2));
        assertThat(kit.delivered().stream().map(each -> each.id()).distinct().toList())
                .hasSameSizeAs(List.copyOf(kit.delivered()));
    }
}
