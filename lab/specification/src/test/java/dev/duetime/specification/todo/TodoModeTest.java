package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.RetryPolicy;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of which todos of a queue run at the same time, and in which order, on several nodes. */
class TodoModeTest {
    private final List<String> ended = new ArrayList<>();
    private final Set<String> keysRunning = new HashSet<>();
    private final Map<String, Duration> durations = new HashMap<>();
    private int running;
    private int most;
    private @Nullable TimerKit kit;

    private TimerKit kit(TodoMode mode, int nodes, int workers) {
        TimerKit built = TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler.todoQueue(queue(mode, workers)))
                .build();
        kit = built;
        built.advance(Duration.ofSeconds(30));
        return built;
    }

    private TodoQueue queue = TodoQueue.builder("unused").build();

    private TodoQueue queue(TodoMode mode, int workers) {
        queue = TodoQueue.builder("work")
                .type("job", String.class, this::handle)
                .mode(mode)
                .workers(workers)
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)).maxAttempts(3))
                .build();
        return queue;
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        String key = todo.parallelKey();
        if (key != null) {
            assertThat(keysRunning.add(key)).as("key " + key + " runs once").isTrue();
        }
        most = Math.max(most, ++running);
        try {
            TimerKit through = kit;
            if (through != null) {
                through.clock().linger(durations.getOrDefault(todo.id(), Duration.ofMillis(10)));
            }
            if (todo.payload().equals("fails") && run.attempt() == 1) {
                throw new IllegalStateException("fails once");
            }
            ended.add(todo.id());
            return Outcome.complete();
        } finally {
            running--;
            if (key != null) {
                keysRunning.remove(key);
            }
        }
    }

    private static NewTodo todo(String id) {
        return NewTodo.of("job", "p").id(id);
    }

    private static List<String> ids(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "%s%03d".formatted(prefix, i))
                .toList();
    }

    @Test
    void sequentialRunsOneAtATimeInOrderOfStartDate() {
        TimerKit nodes = kit(TodoMode.SEQUENTIAL, 2, 4);
        List<String> ids = ids("t", 100);
        for (int i = ids.size() - 1; i >= 0; i--) {
            queue.enqueue(
                    todo(ids.get(i)).startAt(nodes.now().plusMillis(1000 + i)).priority(-i));
        }
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended).isEqualTo(ids);
        assertThat(most).isEqualTo(1);
    }

    @Test
    void sequentialRunsALongBacklog() {
        TimerKit nodes = kit(TodoMode.SEQUENTIAL, 1, 1);
        List<String> ids = ids("t", 900);
        Instant start = nodes.now();
        queue.enqueueAll(IntStream.range(0, ids.size())
                .mapToObj(i -> todo(ids.get(i)).startAt(start.minusSeconds(1000 - i)))
                .toList());
        nodes.advance(Duration.ofSeconds(20));

        assertThat(ended).isEqualTo(ids);
    }

    @Test
    void parallelRunsAsManyAsThereAreWorkers() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 1, 4);
        queue.enqueueAll(ids("t", 40).stream().map(TodoModeTest::todo).toList());
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended).hasSize(40).doesNotHaveDuplicates();
        assertThat(most).isEqualTo(4);
    }

    @Test
    void todosOfAKeyRunInOrderOneAtATime() {
        TimerKit nodes = kit(TodoMode.PARALLEL_BY_KEY, 3, 3);
        List<NewTodo> todos = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            for (int key = 0; key < 10; key++) {
                todos.add(todo("k%d-%03d".formatted(key, i))
                        .parallelKey("key-" + key)
                        .startAt(nodes.now().plusMillis(100 + i)));
            }
        }
        queue.enqueueAll(todos);
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended).hasSize(500).doesNotHaveDuplicates();
        for (int key = 0; key < 10; key++) {
            String prefix = "k" + key + "-";
            assertThat(ended.stream().filter(id -> id.startsWith(prefix))).isSorted();
        }
        assertThat(most).isGreaterThan(3);
    }

    @Test
    void aSlowKeyWithALongBacklogDelaysNoOther() {
        TimerKit nodes = kit(TodoMode.PARALLEL_BY_KEY, 1, 4);
        List<NewTodo> todos = new ArrayList<>();
        ids("slow", 700).forEach(id -> {
            durations.put(id, Duration.ofMinutes(1));
            todos.add(todo(id).parallelKey("slow").startAt(nodes.now().plusMillis(1)));
        });
        ids("quick", 30).forEach(id -> todos.add(todo(id).startAt(nodes.now().plusMillis(500))));
        queue.enqueueAll(todos);
        nodes.advance(Duration.ofSeconds(10));

        assertThat(ended.subList(0, 30)).containsExactlyInAnyOrderElementsOf(ids("quick", 30));
    }

    @Test
    void aFailedTodoDoesNotBlockTheNextOfItsKey() {
        TimerKit nodes = kit(TodoMode.PARALLEL_BY_KEY, 1, 2);
        queue.enqueue(NewTodo.of("job", "fails").id("a").parallelKey("k"));
        queue.enqueue(todo("b").parallelKey("k").startAfter(Duration.ofMillis(1)));
        nodes.advance(Duration.ofMinutes(2));

        assertThat(ended).containsExactly("b", "a");
    }

    @Test
    void aHigherPriorityGoesFirst() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 1, 1);
        queue.enqueue(todo("first"));
        nodes.runDue();
        List<NewTodo> todos = new ArrayList<>();
        ids("low", 50).forEach(id -> todos.add(todo(id)));
        todos.add(todo("high").priority(5));
        queue.enqueueAll(todos);
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended.subList(0, 2)).containsExactly("first", "high");
    }

    @Test
    void aBusyTenantStarvesNoOther() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 1, 1);
        List<NewTodo> todos = new ArrayList<>();
        ids("busy", 300).forEach(id -> todos.add(todo(id).key(TimerKey.of("busy", id))));
        ids("other", 5)
                .forEach(id -> todos.add(todo(id).key(TimerKey.of("other", id)).startAfter(Duration.ofMillis(5))));
        queue.enqueueAll(todos);
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended.subList(0, 20)).containsAll(ids("other", 5));
    }

    /**
     * The backlog is longer than what is read ahead. So only a read behind the todos of the busy tenant finds the
     * others.
     */
    @Test
    void aLongBacklogOfABusyTenantStarvesNoOther() {
        TimerKit nodes = TimerKit.builder()
                .configure(scheduler ->
                        scheduler.todoQueue(queue(TodoMode.PARALLEL, 1)).batchSize(10))
                .build();
        kit = nodes;
        List<NewTodo> todos = new ArrayList<>();
        ids("busy", 300).forEach(id -> todos.add(todo(id).key(TimerKey.of("busy", id))));
        ids("other", 3)
                .forEach(id -> todos.add(todo(id).key(TimerKey.of("other", id)).startAfter(Duration.ofMillis(5))));
        queue.enqueueAll(todos);
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended).hasSize(303);
        assertThat(ended.subList(0, 60)).containsAll(ids("other", 3));
    }

    @Test
    void aPausedQueueRunsNothingNew() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 1, 2);
        nodes.scheduler().admin().pause("work");
        queue.enqueueAll(ids("t", 10).stream().map(TodoModeTest::todo).toList());
        nodes.advance(Duration.ofMinutes(1));
        assertThat(ended).isEmpty();

        nodes.scheduler().admin().resume("work");
        nodes.advance(Duration.ofSeconds(10));
        assertThat(ended).hasSize(10);
    }

    @Test
    void aPauseEndsAChainOfStepsAfterTheOneThatRuns() {
        List<String> steps = new ArrayList<>();
        TodoQueue chain = TodoQueue.builder("chain")
                .type("chain", String.class, (todo, run) -> {
                    steps.add(todo.step());
                    Objects.requireNonNull(kit).clock().linger(Duration.ofMillis(100));
                    if (steps.size() == 3) {
                        Objects.requireNonNull(kit).scheduler().admin().pause("chain");
                    }
                    return steps.size() > 6 ? Outcome.complete() : Outcome.next("step-" + steps.size());
                })
                .workers(1)
                .build();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(chain))
                .build();
        chain.enqueue(NewTodo.of("chain", "p").id("a"));
        kit.advance(Duration.ofSeconds(10));
        assertThat(steps).containsExactly("start", "step-1", "step-2");

        steps.add("resumed");
        kit.scheduler().admin().resume("chain");
        kit.advance(Duration.ofSeconds(10));
        assertThat(steps).startsWith("start", "step-1", "step-2", "resumed", "step-3");
    }

    @Test
    void aTodoThatIsCancelledInTheBufferDoesNotRun() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 1, 1);
        durations.put("t000", Duration.ofMillis(300));
        queue.enqueueAll(ids("t", 10).stream().map(TodoModeTest::todo).toList());
        Instant whileTheFirstRuns = nodes.now().plusMillis(100);
        nodes.clock().start("canceller", () -> {
            if (nodes.now().isBefore(whileTheFirstRuns)) {
                return whileTheFirstRuns;
            }
            assertThat(nodes.scheduler().cancel(queue.key("t000"))).isEqualTo(CancelResult.TOO_LATE);
            assertThat(nodes.scheduler().cancel(queue.key("t009"))).isEqualTo(CancelResult.CANCELLED);
            return Instant.MAX;
        });
        nodes.advance(Duration.ofMinutes(1));

        assertThat(ended).isEqualTo(ids("t", 9));
    }
}
