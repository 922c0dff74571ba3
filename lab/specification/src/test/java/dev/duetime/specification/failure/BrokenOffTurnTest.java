package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.failure.BrokenOffNode.Seam;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that an error between two steps leaves nothing in delivery and takes no permit for ever. Each test runs a
 * node again and again, and the heap is full once in each run: in the first run at the first call of the clock or the
 * store, in the second run some calls later, and so on, until a run has fewer calls. {@link EachBrokenOffTurnTest} leaves
 * out no call.
 */
class BrokenOffTurnTest {
    private static final int MOST_CALLS = 3_000;

    /** A prime number, so that the calls of turns that resemble each other are met at different places. */
    private static final int STRIDE = 13;

    private static final RateLimit FAST = RateLimit.perSecond(50);

    /** Returns how many calls later the heap is full in the next run. */
    int stride() {
        return STRIDE;
    }

    private void sweep(Seam seam, Supplier<BrokenOffNode> nodes) {
        List<String> wrong = new ArrayList<>();
        int call = 1;
        while (nodes.get().run(seam, call, wrong)) {
            call += stride();
            assertThat(call).isLessThan(MOST_CALLS);
        }
        assertThat(call).isGreaterThan(5);
        assertThat(wrong).as("in runs of up to %d calls", call).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void onePublishingLoopDeliversAll(Seam seam) {
        sweep(seam, () -> new PublishingNode(queue -> {}));
    }

    @ParameterizedTest
    @EnumSource
    void onePublishingLoopWithALimitDeliversAll(Seam seam) {
        sweep(seam, () -> new PublishingNode(queue -> queue.concurrencyLimit(3)));
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceDeliverAll(Seam seam) {
        sweep(seam, () -> new PublishingNode(queue -> queue.concurrency(3)));
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceWithALimitDeliverAll(Seam seam) {
        sweep(seam, () -> new PublishingNode(queue -> queue.concurrency(3).concurrencyLimit(4)));
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceWithARateDeliverAll(Seam seam) {
        sweep(seam, () -> new PublishingNode(queue -> queue.concurrency(3).rateLimit(FAST)));
    }

    @ParameterizedTest
    @EnumSource
    void workersRunAll(Seam seam) {
        sweep(seam, () -> new TodoRunningNode(queue -> {}));
    }

    @ParameterizedTest
    @EnumSource
    void workersWithALimitRunAll(Seam seam) {
        sweep(seam, () -> new TodoRunningNode(queue -> queue.concurrencyLimit(2)));
    }

    @ParameterizedTest
    @EnumSource
    void workersWithARateRunAll(Seam seam) {
        sweep(seam, () -> new TodoRunningNode(queue -> queue.rateLimit(FAST)));
    }

    /** A node with a publisher of small batches. Some timers have a parallel key. */
    private static final class PublishingNode extends BrokenOffNode {
        private final Consumer<QueueBuilder> settings;

        PublishingNode(Consumer<QueueBuilder> settings) {
            this.settings = settings;
        }

        @Override
        void configure(SchedulerBuilder builder) {
            builder.publisher(batch -> batch.forEach(each -> deliver(each.key().timerId())))
                    .queue("default", queue -> settings.accept(queue.batchSize(2)));
        }

        @Override
        List<String> schedule(Scheduler by, String id, int number) {
            Timer.Builder timer = Timer.after(TimerKey.of("tenant-" + number % 2, id), Duration.ZERO);
            by.schedule((number % 3 == 0 ? timer : timer.parallelKey("key-" + number % 3)).build());
            return List.of(id);
        }
    }

    /** A node with three workers. Some todos have a parallel key; the first of a wave enqueues another one. */
    private static final class TodoRunningNode extends BrokenOffNode {
        private final TodoQueue queue;

        TodoRunningNode(Consumer<TodoQueue.Builder> settings) {
            TodoQueue.Builder builder = TodoQueue.builder("work")
                    .mode(TodoMode.PARALLEL_BY_KEY)
                    .workers(3)
                    .type("job", String.class, (todo, run) -> handle(todo.id(), run));
            settings.accept(builder);
            queue = builder.build();
        }

        private Outcome handle(String id, TodoRun run) {
            deliver(id);
            if (id.endsWith("0")) {
                queue.enqueue(NewTodo.of("job", "p").id(id + "-child"), run);
            }
            return Outcome.complete();
        }

        @Override
        void configure(SchedulerBuilder builder) {
            builder.todoQueue(queue);
        }

        @Override
        List<String> schedule(Scheduler by, String id, int number) {
            NewTodo todo = NewTodo.of("job", "p").id(id);
            queue.enqueue(number % 3 == 0 ? todo : todo.parallelKey("key-" + number % 3));
            return number == 0 ? List.of(id, id + "-child") : List.of(id);
        }
    }
}
