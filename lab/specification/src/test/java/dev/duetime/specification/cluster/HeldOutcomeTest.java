package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.ShardsTest.SECOND;
import static dev.duetime.specification.cluster.ShardsTest.SETTLED;
import static dev.duetime.specification.cluster.ShardsTest.owners;
import static dev.duetime.specification.cluster.ShardsTest.schedule;
import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.LockedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of how long a shard is kept while another transaction holds rows whose outcomes this node must write. */
class HeldOutcomeTest {
    private static final int TIMERS = 50;

    private final ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
    private boolean held;
    private int retried;
    private Runnable waits = () -> {};

    /** A store in which another transaction holds all rows for a while. */
    private ScheduleStore store() {
        return (ScheduleStore) Proxy.newProxyInstance(
                ScheduleStore.class.getClassLoader(),
                new Class<?>[] {ScheduleStore.class},
                (proxy, method, arguments) -> {
                    if (held && method.getName().startsWith("settle")) {
                        retried += ((List<?>) arguments[0]).size();
                        waits.run();
                        throw new LockedException("settle", "k", new IOException("held"));
                    }
                    try {
                        return method.invoke(intact, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Nested
    class OfTimers {
        private final TimerKit kit = TimerKit.builder()
                .store(store())
                .configure(scheduler -> scheduler.shards(16))
                .build();

        @Test
        void aShardIsKeptUntilItsOutcomesAreWritten() {
            schedule(kit.node(0), TIMERS, SECOND);
            held = true;
            kit.advance(SECOND);
            kit.addNode();
            kit.advance(SECOND.multipliedBy(3));
            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 16));

            held = false;
            kit.advance(SETTLED);

            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
            assertThat(kit).hasDeliveredCount(TIMERS);
        }

        /** Each outcome that is tried while its row is held costs a statement. */
        @Test
        void manyOutcomesAreNotAllRetriedEachSecond() {
            schedule(kit.node(0), 3_000, SECOND);
            held = true;
            kit.advance(SECOND.multipliedBy(2));
            retried = 0;
            kit.advance(SECOND.multipliedBy(10));
            assertThat(retried).isBetween(100, 9_000);

            held = false;
            kit.advance(SECOND.multipliedBy(2));
            ShardsTest.assertAllReached(kit, 3_000);
        }

        /** A database that waits for each row takes the time of the loop, in which other timers are due. */
        @Test
        void retriesTakeASmallPartOfTheTime() {
            schedule(kit.node(0), TIMERS, SECOND);
            held = true;
            kit.advance(SECOND.multipliedBy(2));
            Duration[] waited = {Duration.ZERO};
            waits = () -> {
                kit.clock().linger(Duration.ofMillis(250));
                waited[0] = waited[0].plusMillis(250);
            };
            kit.advance(SECOND.multipliedBy(100));
            assertThat(waited[0]).isBetween(SECOND, SECOND.multipliedBy(15));

            held = false;
            kit.advance(Duration.ofMinutes(1));
            ShardsTest.assertAllReached(kit, TIMERS);
        }

        @Test
        void aShardIsGivenAwayAfterFiveSecondsAndItsTimersAreDeliveredAgain() {
            schedule(kit.node(0), TIMERS, SECOND);
            held = true;
            kit.advance(SECOND);
            kit.addNode();
            kit.advance(SECOND.multipliedBy(7));

            assertThat(owners(kit)).isEqualTo(Map.of("node-0", 8, "node-1", 8));
            held = false;
            kit.advance(SETTLED);
            assertThat(kit.delivered()).hasSizeBetween(TIMERS + 1, 2 * TIMERS);
            ShardsTest.assertAllReached(kit, TIMERS);
        }
    }

    @Nested
    class OfTodos {
        private final List<String> ran = new ArrayList<>();
        private final List<TodoQueue> queues = new ArrayList<>();
        private final TimerKit kit = TimerKit.builder()
                .store(store())
                .configure(scheduler -> scheduler.todoQueue(queue()))
                .build();

        private TodoQueue queue() {
            TodoQueue queue = TodoQueue.builder("work")
                    .type("job", String.class, (todo, run) -> {
                        ran.add(todo.id());
                        return Outcome.complete();
                    })
                    .build();
            queues.add(queue);
            return queue;
        }

        private long owners() {
            return kit.store().leases().view("work").leases().stream()
                    .map(lease -> String.valueOf(lease.owner()))
                    .distinct()
                    .count();
        }

        private void runAndJoin() {
            IntStream.range(0, TIMERS)
                    .forEach(i -> queues.get(0).enqueue(NewTodo.of("job", "p").id("t-" + i)));
            held = true;
            kit.advance(SECOND);
            kit.addNode();
        }

        @Test
        void aShardIsKeptUntilItsOutcomesAreWritten() {
            runAndJoin();
            kit.advance(SECOND.multipliedBy(3));
            assertThat(owners()).isEqualTo(1);

            held = false;
            kit.advance(SETTLED);

            assertThat(owners()).isEqualTo(2);
            assertThat(ran).hasSize(TIMERS).doesNotHaveDuplicates();
        }

        @Test
        void aShardIsGivenAwayAfterFiveSeconds() {
            runAndJoin();
            kit.advance(SECOND.multipliedBy(7));

            assertThat(owners()).isEqualTo(2);
        }
    }
}
