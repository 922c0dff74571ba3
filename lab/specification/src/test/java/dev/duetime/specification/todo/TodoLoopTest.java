package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.SchedulerBuilder;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of when the loop of a todo queue notices what other nodes did while its own todos run. */
class TodoLoopTest {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> began = new ArrayList<>();
    private final List<Instant> begunAt = new ArrayList<>();
    private final Map<String, Duration> durations = new HashMap<>();
    private int stepsOfTheFirst;
    private final List<TodoQueue> queues = new ArrayList<>();
    private @Nullable TimerKit kit;

    private void work(SchedulerBuilder scheduler, TodoMode mode) {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, this::handle)
                .mode(mode)
                .workers(2)
                .build();
        queues.add(queue);
        scheduler.todoQueue(queue);
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        began.add(todo.id());
        begunAt.add(run.startedAt());
        Objects.requireNonNull(kit).clock().linger(durations.getOrDefault(todo.id(), Duration.ofMillis(10)));
        boolean goesOn = todo.id().equals("t0") && began.size() < stepsOfTheFirst;
        return goesOn ? Outcome.next("step-" + began.size()) : Outcome.complete();
    }

    private TimerKit kit(TodoMode mode) {
        return kit(mode, 500);
    }

    private TimerKit kit(TodoMode mode, int batchSize) {
        TimerKit built = TimerKit.builder()
                .configure(scheduler -> {
                    work(scheduler, mode);
                    scheduler.batchSize(batchSize);
                })
                .build();
        kit = built;
        return built;
    }

    private static NewTodo todo(String id) {
        return NewTodo.of("job", "p").id(id);
    }

    /** Runs a task at a given time, also while handlers run. */
    private void at(Duration after, Runnable action) {
        TestClock clock = Objects.requireNonNull(kit).clock();
        Instant at = clock.now().plus(after);
        clock.start("user", () -> {
            if (clock.now().isBefore(at)) {
                return at;
            }
            action.run();
            return Instant.MAX;
        });
    }

    private long begunBetween(Instant from, Instant to) {
        return begunAt.stream()
                .filter(each -> each.isAfter(from) && !each.isAfter(to))
                .count();
    }

    /** A todo that continues with its next step is not read again, and the todos behind it fill the buffer. */
    @Test
    void aFullLoopNoticesAPauseWithinAPollingInterval() {
        TimerKit nodes = kit(TodoMode.SEQUENTIAL);
        List<String> ids = IntStream.range(0, 60).mapToObj(i -> "t" + i).toList();
        stepsOfTheFirst = 100;
        durations.put("t0", SECOND);
        queues.get(0).enqueueAll(ids.stream().map(TodoLoopTest::todo).toList());
        KitNode other = nodes.addNode();
        Instant paused = nodes.now().plusMillis(10_500);
        Instant resumed = paused.plusSeconds(40);
        at(
                Duration.between(nodes.now(), paused),
                () -> other.scheduler().admin().pause("work"));
        at(
                Duration.between(nodes.now(), resumed),
                () -> other.scheduler().admin().resume("work"));
        nodes.advance(Duration.ofMinutes(4));

        assertThat(begunBetween(Instant.MIN, paused)).isBetween(10L, 12L);
        assertThat(begunBetween(paused.plus(POLL), resumed)).isZero();
        assertThat(begunBetween(resumed, resumed.plus(POLL).plus(SECOND))).isPositive();
        assertThat(began).hasSize(59 + 100);
    }

    @Test
    void aLoopWithoutRoomAsksOnceAPollingInterval() {
        TimerKit nodes = kit(TodoMode.SEQUENTIAL);
        List<String> ids = IntStream.range(0, 60).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> durations.put(id, Duration.ofMinutes(1)));
        queues.get(0).enqueueAll(ids.stream().map(TodoLoopTest::todo).toList());
        nodes.advance(Duration.ofMinutes(61));

        // The default queue asks as often.
        int minutes = (int) Duration.between(TestClock.START, nodes.now()).toMinutes();
        assertThat(began).hasSize(60);
        assertThat(nodes.node(0).calls(StoreCall.NEXT_DUE)).isBetween(2 * 12 * minutes, 2 * 20 * minutes);
    }

    /** The test clock fails if a loop runs very often while no time passes. */
    @Test
    void aLoopWithoutRoomWaitsWhileTheStoreIsAway() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 4);
        List<String> ids = IntStream.range(0, 12).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> durations.put(id, Duration.ofSeconds(20)));
        queues.get(0).enqueueAll(ids.stream().map(TodoLoopTest::todo).toList());
        at(SECOND, () -> nodes.node(0).storeDown());
        at(Duration.ofSeconds(30), () -> nodes.node(0).storeUp());
        nodes.advance(Duration.ofMinutes(5));

        assertThat(new HashSet<>(began)).hasSize(12);
    }

    @Test
    void aFullLoopWaitsWhileItCountsLostAttempts() {
        TimerKit nodes = kit(TodoMode.PARALLEL, 4);
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> durations.put(id, Duration.ofSeconds(20)));
        queues.get(0).enqueueAll(ids.stream().map(TodoLoopTest::todo).toList());
        nodes.node(0).crash();
        nodes.addNode();
        nodes.advance(Duration.ofMinutes(20));

        assertThat(new HashSet<>(began)).hasSize(40);
    }

    /** The first turn of a worker may end before its loop is registered. At that time no call can wake the loop. */
    @Test
    void aWorkerIsWokenAlthoughItsFirstTurnEndedEarly() {
        TimerKit nodes = TimerKit.builder()
                .configure(scheduler -> work(scheduler, TodoMode.PARALLEL))
                .notStarted()
                .build();
        kit = nodes;
        KitNode eager = nodes.addNode(scheduler -> scheduler.clock(new EagerClock(nodes.clock())));
        nodes.runDue();
        queues.get(queues.size() - 1).enqueue(todo("a"));
        nodes.advance(SECOND);

        assertThat(began).containsExactly("a");
        eager.close();
    }

    /** A clock that runs the first turn of each worker before it returns the worker's loop. */
    private record EagerClock(TestClock intact) implements Clock {
        @Override
        public Instant now() {
            return intact.now();
        }

        @Override
        public long nanoTime() {
            return intact.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            if (!name.matches("duetime-work-\\d+")) {
                return intact.start(name, pass);
            }
            AtomicBoolean woken = new AtomicBoolean();
            try {
                pass.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Loop loop = intact.start(name, () -> woken.get() ? pass.run() : Instant.MAX);
            return new Loop() {
                @Override
                public void wakeAt(Instant instant) {
                    woken.set(true);
                    loop.wakeAt(instant);
                }

                @Override
                public boolean close(Duration limit) {
                    return loop.close(limit);
                }
            };
        }
    }

    @Test
    void aPastTodoOfAnotherNodeRunsWithinAPollingInterval() {
        TimerKit nodes = kit(TodoMode.PARALLEL);
        durations.put("slow", Duration.ofMinutes(1));
        queues.get(0).enqueue(todo("slow").shardingKey("s"));
        nodes.addNode();
        Instant enqueued = nodes.now().plusMillis(10);
        NewTodo past = todo("past").shardingKey("s").startAt(nodes.now().minus(Duration.ofMinutes(1)));
        at(Duration.between(nodes.now(), enqueued), () -> queues.get(1).enqueue(past));
        nodes.advance(Duration.ofMinutes(2));

        assertThat(began).containsExactly("slow", "past");
        assertThat(begunAt.get(1)).isBetween(enqueued, enqueued.plus(POLL));
    }
}
