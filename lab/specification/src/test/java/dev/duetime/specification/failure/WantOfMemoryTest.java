package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.Health;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that an {@code OutOfMemoryError}, wherever it happens, ends no loop, and that reads become as small as
 * necessary.
 */
class WantOfMemoryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MEGABYTE = 1_000_000;

    private final FullHeap store = new FullHeap();
    private final TimerKit kit = TimerKit.builder().store(store).build();

    /**
     * A store that has memory for a limited number of timers in a read, and whose calls fail while the heap is full.
     */
    private static final class FullHeap extends PassThroughStore {
        private boolean reads;
        private boolean asks;
        private boolean settles;
        private int room = Integer.MAX_VALUE;
        private final List<Integer> sizes = new ArrayList<>();
        private long mostBytes;

        FullHeap() {
            super(new InMemoryScheduleStore(new StoppedClock()));
        }

        private static void fail(boolean full) {
            if (full) {
                throw new OutOfMemoryError("by a test");
            }
        }

        @Override
        public DueTimers due(DueQuery query) {
            fail(reads);
            DueTimers read = super.due(query);
            fail(read.timers().size() > room);
            sizes.add(read.timers().size());
            mostBytes = Math.max(
                    mostBytes,
                    read.timers().stream()
                            .mapToLong(each -> each.content().payload().size())
                            .sum());
            return read;
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            fail(asks);
            return super.nextDue(queue, shards, after);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            fail(settles);
            return super.settle(settlements);
        }
    }

    private void schedule(int count, Duration apart) {
        for (int i = 1; i <= count; i++) {
            kit.scheduler()
                    .schedule(Timer.after("t-" + i, apart.multipliedBy(i)).build());
        }
    }

    private Health health() {
        return kit.scheduler().admin().health();
    }

    @Test
    void anOutOfMemoryErrorIsSurvivedInEachCallOfTheStore() {
        schedule(60, SECOND);
        store.reads = true;
        kit.advance(SECOND.multipliedBy(10));
        store.reads = false;
        store.asks = true;
        kit.advance(SECOND.multipliedBy(10));
        store.asks = false;
        store.settles = true;
        kit.advance(SECOND.multipliedBy(10));
        store.settles = false;

        kit.advance(SECOND.multipliedBy(40));

        assertThat(kit).hasDeliveredCount(60);
        assertThat(health().queues().get(0).inDelivery()).isZero();
        assertThat(health().isHealthy(SECOND)).isTrue();
    }

    @Test
    void aNodeWhoseReadsRunOutOfMemoryReportsIt() {
        schedule(1, SECOND);
        store.reads = true;

        kit.advance(Duration.ofMinutes(2));

        assertThat(health().isHealthy()).isFalse();
    }

    @Test
    void aPublisherThatRunsOutOfMemoryIsRepeatedAndOthersAreDelivered() {
        kit.publisher().onEach(envelope -> {
            if (envelope.key().timerId().equals("t-2") && envelope.attempt() == 1) {
                throw new OutOfMemoryError("by a test");
            }
        });
        schedule(3, Duration.ZERO);

        kit.advance(Duration.ofMinutes(1));

        assertThat(kit.delivered()).extracting(each -> each.key().timerId()).contains("t-1", "t-2", "t-3");
        assertThat(health().queues().get(0).inDelivery()).isZero();
        assertThat(kit.store().query(TimerQuery.all().state(TimerState.REACHED)))
                .hasSize(3);
    }

    @Test
    void aReadThatRunsOutOfMemoryIsRepeatedSmallerDownToOneTimer() {
        store.room = 1;
        schedule(40, Duration.ZERO);

        kit.advance(Duration.ofMinutes(5));

        assertThat(kit).hasDeliveredCount(40);
    }

    @Test
    void readsAreLargeAgainOnceThereIsMemory() {
        store.room = 1;
        schedule(400, Duration.ZERO);
        kit.advance(SECOND.multipliedBy(10));
        store.room = Integer.MAX_VALUE;
        store.sizes.clear();

        kit.advance(SECOND.multipliedBy(20));

        assertThat(kit).hasDeliveredCount(400);
        assertThat(store.sizes).anyMatch(size -> size > 50);
    }

    @Test
    void readsAreBoundedByTheBytesOfTheirPayloads() {
        for (int i = 1; i <= 600; i++) {
            kit.scheduler()
                    .schedule(Timer.at("light-" + i, kit.now().plusSeconds(1)).build());
        }
        Payload heavy = Payload.of(("\"" + "x".repeat(MEGABYTE) + "\"").getBytes(StandardCharsets.UTF_8));
        for (int i = 1; i <= 100; i++) {
            kit.scheduler()
                    .schedule(Timer.at("heavy-" + i, kit.now().plusSeconds(2))
                            .payload(heavy)
                            .build());
        }

        kit.advance(SECOND.multipliedBy(30));

        assertThat(kit).hasDeliveredCount(700);
        assertThat(store.mostBytes).isBetween((long) MEGABYTE, 8L * 1024 * 1024);
    }
}
