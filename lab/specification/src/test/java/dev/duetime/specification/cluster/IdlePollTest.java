package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.store.NextDue;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a node polls for all of its idle queues at once, and that each queue learns of a timer no later. */
class IdlePollTest {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<String> QUEUES =
            IntStream.range(0, 4).mapToObj(i -> "queue-" + i).toList();

    private final TestClock clock = new TestClock();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final CountedStore store = new CountedStore(clock);
    private final Scheduler scheduler = scheduler(true);
    /** Schedules without waking a loop, and without a hint. */
    private final Scheduler elsewhere = scheduler(false);

    private static final class CountedStore extends PassThroughStore {
        int snapshots;
        int polls;
        boolean failing;
        Runnable afterSnapshot = () -> {};

        CountedStore(TestClock clock) {
            super(new InMemoryScheduleStore(clock));
        }

        @Override
        public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
            snapshots++;
            if (failing) {
                throw new StoreException("read", "idle queues", new IOException("no connection"));
            }
            Map<String, QueueSnapshot> snapshot = intact.snapshot(queues, node);
            Runnable once = afterSnapshot;
            afterSnapshot = () -> {};
            once.run();
            return snapshot;
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            polls++;
            return intact.nextDue(queue, shards, after);
        }
    }

    private Scheduler scheduler(boolean delivers) {
        var builder = Scheduler.builder()
                .nodeId(delivers ? "worker" : "web")
                .store(store)
                .hints(false)
                .carrier(clock.node(delivers ? "worker" : "web"));
        QUEUES.forEach(name -> builder.queue(name, queue -> {
            if (delivers) {
                queue.publisher(publisher);
            }
        }));
        return builder.build();
    }

    private void start() {
        scheduler.start();
        clock.advance(MINUTE.multipliedBy(3));
        store.snapshots = 0;
        store.polls = 0;
    }

    @AfterEach
    void close() {
        scheduler.close();
        elsewhere.close();
    }

    private static Timer timer(String id, String queue, Duration delay) {
        return Timer.after(id, delay).queue(queue).build();
    }

    private void assertDeliveredWithinAPoll(int count) {
        clock.advance(POLL);
        assertThat(publisher.delivered()).hasSize(count);
    }

    @Test
    void idleQueuesArePolledTogether() {
        start();

        clock.advance(MINUTE.multipliedBy(10));

        assertThat(store.snapshots).isBetween(120, 130);
        assertThat(store.polls).isZero();
    }

    @Test
    void pausedQueuesArePolledTogether() {
        start();
        QUEUES.forEach(queue -> scheduler.admin().pause(queue));
        clock.advance(MINUTE);
        store.polls = 0;

        clock.advance(MINUTE.multipliedBy(10));

        assertThat(store.polls).isZero();
    }

    @Test
    void aTimerOfAnotherNodeIsFoundWithinThePollInterval() {
        start();
        for (int i = 0; i < 40; i++) {
            elsewhere.schedule(timer("t-" + i, QUEUES.get(i % 4), Duration.ofMillis(731L * i % 3_000)));
            clock.advance(Duration.ofMillis(977));
        }
        assertDeliveredWithinAPoll(40);
        assertThat(publisher.delivered())
                .allSatisfy(each -> assertThat(each.event().lateness()).isLessThanOrEqualTo(POLL));
    }

    @Test
    void aPauseOfAnotherNodeIsNoticedWithinThePollInterval() {
        start();
        elsewhere.admin().pause("queue-1");
        clock.advance(POLL);
        elsewhere.schedule(timer("a", "queue-1", Duration.ZERO));
        clock.advance(MINUTE);
        assertThat(publisher.delivered()).isEmpty();

        elsewhere.admin().resume("queue-1");
        assertDeliveredWithinAPoll(1);
    }

    @Test
    void ifItFailsEachQueuePollsForItself() {
        start();
        store.failing = true;
        clock.advance(MINUTE);
        QUEUES.forEach(queue -> elsewhere.schedule(timer("in-" + queue, queue, Duration.ZERO)));

        assertDeliveredWithinAPoll(4);
        assertThat(store.polls).isGreaterThan(40);
    }

    /** The answer is older than the timer, and must not hide it. */
    @Test
    void aTimerThatIsScheduledDuringThePollIsDelivered() {
        start();
        store.afterSnapshot = () -> scheduler.schedule(timer("a", "queue-2", Duration.ofSeconds(1)));
        clock.advance(POLL);
        clock.advance(Duration.ofSeconds(1));

        assertThat(publisher.delivered()).hasSize(1);
        assertThat(publisher.delivered().get(0).event().lateness()).isZero();
    }

    @Test
    void aTimerThatWasDeliveredIsNotAskedForAgainByAnOldAnswer() {
        start();
        for (int i = 0; i < 200; i++) {
            scheduler.schedule(timer("t-" + i, QUEUES.get(i % 4), Duration.ofMillis(500)));
            clock.advance(Duration.ofMillis(333));
        }
        clock.advance(POLL);

        assertThat(publisher.delivered())
                .hasSize(200)
                .allSatisfy(each -> assertThat(each.event().lateness()).isZero());
    }
}
