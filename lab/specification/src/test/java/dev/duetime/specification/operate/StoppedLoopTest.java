package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.Health;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.PassThroughLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.fault.FaultyStore;
import dev.duetime.testkit.fault.HeapFull;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.fault.StoreFaults;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a loop that ends although nobody closed it, or that fails in each turn. No known cause can end one. One
 * fails in each turn if the JVM could not initialize a class of the driver.
 */
class StoppedLoopTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock time = new TestClock();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(time);
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final StoreFaults faults = new StoreFaults("a", () -> {});
    private boolean broken;

    /** A clock that loses loops, as if their threads had ended. */
    private final class LosingClock implements Clock {
        private final TestClock.Node clock;
        private final Set<String> lost = new HashSet<>();
        private final List<String> started = new ArrayList<>();

        LosingClock(String node) {
            clock = time.node(node);
        }

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            started.add(name);
            return clock.start(name, () -> {
                if (lost.contains(name)) {
                    return Instant.MAX;
                }
                try {
                    return pass.run();
                } catch (NoClassDefFoundError e) {
                    throw new HeapFull(name); // which ends the turn only, as any error does in production
                }
            });
        }
    }

    private Scheduler node(String name, Clock clock) {
        return node(name, clock, store);
    }

    private Scheduler node(String name, Clock clock, ScheduleStore itsStore) {
        return started(builder(name, clock, itsStore));
    }

    private SchedulerBuilder builder(String name, Clock clock, ScheduleStore itsStore) {
        return Scheduler.builder().store(itsStore).clock(clock).nodeId(name).publisher(publisher);
    }

    private static Scheduler started(SchedulerBuilder builder) {
        Scheduler scheduler = builder.build();
        scheduler.start();
        return scheduler;
    }

    private Scheduler nodeOfTwoQueues(String name, Clock clock, ScheduleStore itsStore) {
        return started(builder(name, clock, itsStore).queue("mail", queue -> queue.publisher(publisher)));
    }

    /** The leases of the other queue are renewed meanwhile, and with them those that were not released. */
    private void releasesAgain(ScheduleStore itsStore) {
        LosingClock clock = new LosingClock("a");
        try (Scheduler one = nodeOfTwoQueues("a", clock, itsStore);
                Scheduler other = nodeOfTwoQueues("b", time.node("b"), store)) {
            time.advance(MINUTE);
            assertThat(shards(one)).isPositive();
            clock.lost.add("duetime-default");
            broken = true;
            faults.add(StoreCall.RELEASE, StoreFaults.Moment.BEFORE, StoreFaults.Effect.FAIL);

            time.advance(MINUTE.multipliedBy(2));

            assertThat(store.leases().view("default").leases())
                    .extracting(lease -> String.valueOf(lease.owner()))
                    .allSatisfy(owner -> assertThat(owner).startsWith("b"));
            assertThat(shards(other)).isEqualTo(4);
            assertThat(one.admin().health().queues())
                    .filteredOn(each -> each.queue().equals("mail"))
                    .allSatisfy(each -> assertThat(each.ownedShards()).isPositive());
        }
    }

    /** A thread that counts its interrupts: other loops run on it meanwhile, and each turn clears the flag. */
    private static final class Interrupted extends Thread {
        private final AtomicInteger count = new AtomicInteger();

        Interrupted(Runnable body) {
            super(body);
        }

        @Override
        public void interrupt() {
            count.incrementAndGet();
            super.interrupt();
        }
    }

    private void aHandlerRunsWhileItsLoopIsLost() {
        LosingClock clock = new LosingClock("a");
        TodoQueue work = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    clock.lost.add("duetime-work");
                    time.linger(MINUTE.multipliedBy(2));
                    return Outcome.complete();
                })
                .build();
        TodoQueue elsewhere = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> Outcome.complete())
                .build();
        try (Scheduler one = started(builder("a", clock, store).todoQueue(work));
                Scheduler other = started(builder("b", time.node("b"), store).todoQueue(elsewhere))) {
            time.advance(MINUTE);
            work.enqueue(NewTodo.of("job", "p").id("t"));
            time.advance(MINUTE);
            assertThat(shards(one) + shards(other)).isPositive();
        }
    }

    /** Another node will run the todos of its key. */
    @Test
    void aHandlerThatRunsIsInterruptedWhenItsShardsAreReleased() throws InterruptedException {
        Interrupted thread = new Interrupted(this::aHandlerRunsWhileItsLoopIsLost);
        thread.start();
        thread.join();

        assertThat(thread.count).hasValue(1);
    }

    @Test
    void aReleaseThatFailsIsRepeated() {
        releasesAgain(new FaultyStore(store, faults));
    }

    /** As if another transaction held the rows. */
    @Test
    void shardsThatAReleaseLeftOutAreReleasedLater() {
        releasesAgain(new PassThroughStore(store) {
            @Override
            public ShardLeases leases() {
                return new PassThroughLeases(intact.leases()) {
                    @Override
                    public void release(String queue, Collection<Integer> shards, String node) {
                        if (broken && queue.equals("default")) {
                            broken = false;
                        } else {
                            super.release(queue, shards, node);
                        }
                    }
                };
            }
        });
        assertThat(broken).as("no release was left out").isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"duetime-default", "duetime-shards", "duetime-housekeeping"})
    void aNodeWithAStoppedLoopIsNotHealthy(String name) {
        LosingClock clock = new LosingClock("a");
        try (Scheduler scheduler = node("a", clock)) {
            time.advance(MINUTE);
            assertThat(clock.started).contains(name);
            assertThat(scheduler.admin().health().isHealthy()).isTrue();

            clock.lost.add(name);
            time.advance(MINUTE.multipliedBy(3));

            Health health = scheduler.admin().health();
            assertThat(health.isHealthy()).isFalse();
            assertThat(health.stuckSince()).isNotNull().isBefore(time.now().minus(MINUTE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"duetime-default", "duetime-shards"})
    void timersOfAStoppedLoopAreDeliveredByOtherNodes(String name) {
        LosingClock clock = new LosingClock("a");
        try (Scheduler one = node("a", clock);
                Scheduler other = node("b", time.node("b"))) {
            time.advance(MINUTE);
            clock.lost.add(name);
            for (int i = 0; i < 20; i++) {
                other.schedule(Timer.after("t-" + i, MINUTE.multipliedBy(2)).build());
            }

            time.advance(MINUTE.multipliedBy(3));

            for (int i = 0; i < 20; i++) {
                assertThat(store.find(TimerKey.of("t-" + i)).orElseThrow().state())
                        .isEqualTo(TimerState.REACHED);
            }
            assertThat(one.admin().health().queues().get(0).ownedShards()).isZero();
        }
    }

    /** A node whose loop fails in each turn in which it owns shards, while it is broken. */
    private Scheduler brokenNode() {
        faults.unavailable(call -> {
            if (broken && (call == StoreCall.DUE || call == StoreCall.NEXT_DUE)) {
                throw new NoClassDefFoundError("Could not initialize class of.a.Driver");
            }
            return false;
        });
        return node("a", new LosingClock("a"), new FaultyStore(store, faults));
    }

    private static int shards(Scheduler scheduler) {
        return scheduler.admin().health().queues().stream()
                .filter(each -> each.queue().equals("default"))
                .findFirst()
                .orElseThrow()
                .ownedShards();
    }

    /** Without shards its loop has nothing to do, and does not fail. */
    @Test
    void aNodeWhoseLoopFailsWithShardsTakesThemLessAndLessOften() {
        try (Scheduler one = brokenNode();
                Scheduler other = node("b", time.node("b"))) {
            time.advance(MINUTE);
            broken = true;
            time.advance(MINUTE);
            int seconds = 0;
            for (int i = 0; i < 3_600; i++) {
                time.advance(Duration.ofSeconds(1));
                seconds += shards(one) > 0 ? 1 : 0;
            }

            assertThat(seconds).isLessThan(120);
            assertThat(shards(other)).isPositive();
        }
    }

    @Test
    void aNodeWhoseLoopFailsWithShardsIsNotHealthyWithoutThem() {
        try (Scheduler one = brokenNode();
                Scheduler other = node("b", time.node("b"))) {
            time.advance(MINUTE);
            broken = true;
            time.advance(MINUTE.multipliedBy(2));

            for (int i = 0; i < 60; i++) {
                time.advance(MINUTE);
                assertThat(one.admin().health().isHealthy()).isFalse();
                assertThat(other.admin().health().isHealthy()).isTrue();
            }
        }
    }

    @Test
    void aRepairedLoopGetsShardsWithinTenMinutes() {
        try (Scheduler one = brokenNode();
                Scheduler other = node("b", time.node("b"))) {
            time.advance(MINUTE);
            broken = true;
            time.advance(MINUTE.multipliedBy(60));
            broken = false;
            time.advance(MINUTE.multipliedBy(12));

            assertThat(shards(one)).isEqualTo(shards(other));
            assertThat(one.admin().health().isHealthy()).isTrue();
            assertThat(one.admin().health().stuckSince()).isNull();
        }
    }

    @Test
    void aRepairedLoopOfTheOnlyNodeGetsItsShardsWithinSeconds() {
        try (Scheduler one = brokenNode()) {
            time.advance(MINUTE.multipliedBy(5));
            broken = true;
            time.advance(MINUTE.multipliedBy(60));
            broken = false;
            time.advance(Duration.ofSeconds(15));

            assertThat(shards(one)).isEqualTo(4);
        }
    }
}
