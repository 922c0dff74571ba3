package dev.duetime.specification.failure;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.LockedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** The queues of nodes on which an error breaks off a turn. */
enum BrokenOffQueue {
    ONE_CALL(() -> new PublishingNode(queue -> {})),
    ONE_CALL_WITH_A_LIMIT(() -> new PublishingNode(queue -> queue.concurrencyLimit(3))),
    THREE_CALLS(() -> new PublishingNode(queue -> queue.concurrency(3))),
    THREE_CALLS_WITH_A_LIMIT(
            () -> new PublishingNode(queue -> queue.concurrency(3).concurrencyLimit(4))),
    THREE_CALLS_WITH_A_RATE(
            () -> new PublishingNode(queue -> queue.concurrency(3).rateLimit(RateLimit.perSecond(50)))),
    WORKERS(() -> new TodoRunningNode(queue -> {})),
    WORKERS_WITH_A_LIMIT(() -> new TodoRunningNode(queue -> queue.concurrencyLimit(2))),
    WORKERS_WITH_A_RATE(() -> new TodoRunningNode(queue -> queue.rateLimit(RateLimit.perSecond(50)))),
    WORKERS_WITH_A_SLOW_RATE(() -> new TodoRunningNode(
            queue -> queue.rateLimit(RateLimit.perSecond(50).burst(1)).concurrencyLimit(2))),
    WORKERS_WITH_HELD_ROWS(HeldRowsNode::new);

    @SuppressWarnings("ImmutableEnumChecker") // a factory without state
    private final Supplier<BrokenOffNode> nodes;

    BrokenOffQueue(Supplier<BrokenOffNode> nodes) {
        this.nodes = nodes;
    }

    /** Returns a new node with such a queue. */
    BrokenOffNode node() {
        return nodes.get();
    }

    /**
     * Runs a node in the classes of an {@link EngineSteps.Loader}. Called by reflection.
     *
     * @param fails returns of each step whether the heap is full there
     */
    static void run(String queue, IntPredicate fails, List<String> wrong) {
        valueOf(queue).node().run(fails, wrong);
    }

    /** A node with a publisher of small batches. Some timers have a parallel key. */
    private static final class PublishingNode extends BrokenOffNode {
        private final Consumer<QueueBuilder> settings;

        PublishingNode(Consumer<QueueBuilder> settings) {
            this.settings = settings;
        }

        @Override
        String queue() {
            return "default";
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
    private static class TodoRunningNode extends BrokenOffNode {
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
        String queue() {
            return "work";
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

    /** A node with workers, in whose store the first tries to settle some rows meet another transaction. */
    private static final class HeldRowsNode extends TodoRunningNode {
        HeldRowsNode() {
            super(queue -> {});
        }

        @Override
        ScheduleStore store(ScheduleStore intact) {
            return new HeldRows(intact);
        }
    }

    private static final class HeldRows extends PassThroughStore {
        private static final int TRIES = 8;

        private final Map<TimerKey, Integer> tries = new HashMap<>();

        HeldRows(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            for (Settlement each : settlements) {
                boolean isHeld = each.key().timerId().charAt(1) % 2 == 1;
                if (isHeld && tries.merge(each.key(), 1, Integer::sum) <= TRIES) {
                    throw new LockedException("settle", each.key(), new IllegalStateException("held"));
                }
            }
            return super.settle(settlements);
        }
    }
}
