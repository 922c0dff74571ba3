package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.LockedException;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Steps;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a todo which leaves its lane, and must run again, is not overtaken by the later ones of its lane. */
class TodoPlaceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration READ = Duration.ofMillis(20);

    private final OverlappingTime clock = new OverlappingTime();
    private final Store store = new Store();
    private final List<String> ran = new ArrayList<>();
    private final Map<String, Duration> runs = new HashMap<>();
    private boolean joins;

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private Scheduler scheduler;

    /** A store of which one call fails. */
    private final class Store extends PassThroughStore {
        String failsToStart = "";
        String failsToCancel = "";
        boolean failsToBegin;
        boolean undercounts;
        boolean isLocked;
        Duration beforeStart = Duration.ZERO;
        Duration read = READ;

        Store() {
            super(new InMemoryScheduleStore(clock));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            clock.linger(read);
            return due;
        }

        @Override
        public boolean start(TimerKey key, long generation, Instant now) {
            if (key.timerId().equals(failsToStart)) {
                failsToStart = "";
                clock.linger(beforeStart);
                throw new StoreException("start", key, new IllegalStateException("connection lost"));
            }
            if (isLocked) {
                isLocked = false;
                throw new LockedException("start", key, new IllegalStateException("locked"));
            }
            return super.start(key, generation, now);
        }

        /** Says of one batch that a row of it was not as expected. */
        @Override
        public int settle(List<Settlement> settlements) {
            int count = super.settle(settlements);
            if (undercounts) {
                undercounts = false;
                return count - 1;
            }
            return count;
        }

        @Override
        public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
            if (key.timerId().equals(failsToCancel)) {
                throw new StoreException("cancel", key, new IllegalStateException("connection lost"));
            }
            return super.cancel(key, now, inDelivery);
        }

        @Override
        public OwnTransaction begin() {
            if (failsToBegin) {
                failsToBegin = false;
                throw new StoreException("begin", "a transaction", new IllegalStateException("no connection"));
            }
            return super.begin();
        }
    }

    private void queue(TodoMode mode, int workers, UnaryOperator<TodoQueue.Builder> more) {
        queue = more.apply(TodoQueue.builder("work").type("job", String.class, this::handle))
                .mode(mode)
                .workers(workers)
                .build();
        scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .todoQueue(queue)
                .shards(1)
                .batchSize(50)
                .build();
        scheduler.start();
        clock.advance(SECOND.multipliedBy(30));
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        if (joins) {
            run.transaction(InMemoryTransaction.class);
        }
        ran.add(todo.key().timerId());
        clock.linger(runs.getOrDefault(todo.key().timerId(), Duration.ZERO));
        return Outcome.complete();
    }

    @AfterEach
    void close() {
        scheduler.close();
        clock.close();
    }

    private NewTodo todo(int number) {
        return NewTodo.of("job", "p")
                .key(queue.key("t", "k" + number))
                .parallelKey("K")
                .startAt(clock.now().minusSeconds(10).plusMillis(number));
    }

    /** Todos with a correlation key: their start is written. */
    private void enqueue(int first, int last) {
        queue.enqueueAll(IntStream.rangeClosed(first, last)
                .mapToObj(i -> todo(i).correlationKey("c" + i))
                .toList());
    }

    private static List<String> ids(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> "k" + i).toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PARALLEL")
    void aTodoWhoseStartWasNotWrittenIsNotOvertaken(TodoMode mode) {
        queue(mode, 4, queue -> queue);
        store.failsToStart = "k1";
        enqueue(1, 4);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 4));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PARALLEL")
    void aTodoThatGotNoTransactionIsNotOvertaken(TodoMode mode) {
        queue(mode, 4, queue -> queue);
        joins = true;
        store.failsToBegin = true;
        enqueue(1, 4);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 4));
    }

    /** The lane holds at most 32 todos. Reads leave out its key then. */
    @Test
    void aTodoOfAFullLaneIsNotOvertaken() {
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue);
        store.failsToStart = "k10";
        enqueue(1, 200);
        clock.advance(SECOND.multipliedBy(60));

        assertThat(ran).isEqualTo(ids(1, 200));
    }

    @Test
    void aTodoIsNotOvertakenWhileAnotherOneOfItsKeyRuns() {
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue.parallelKeyLimit(2));
        runs.put("k1", SECOND);
        runs.put("k3", SECOND);
        store.failsToStart = "k2";
        enqueue(1, 60);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 60));
    }

    /** The read has begun behind the todo, and ends after the run. */
    @ParameterizedTest
    @CsvSource({"5", "100", "300"})
    void aReadUnderWayDoesNotBringLaterTodosFirst(int beforeFailureMillis) {
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue);
        store.failsToStart = "k1";
        store.beforeStart = Duration.ofMillis(beforeFailureMillis);
        enqueue(1, 1);
        clock.advance(READ);
        store.read = Duration.ofMillis(200);
        enqueue(2, 4);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 4));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void otherTenantsOfTheKeyDoNotOvertake(int failing) {
        queue(TodoMode.PARALLEL_BY_KEY, 1, queue -> queue);
        store.failsToStart = "k" + failing;
        queue.enqueueAll(IntStream.rangeClosed(1, 6)
                .mapToObj(i -> todo(i).key(queue.key("t" + i % 3, "k" + i)).correlationKey("c" + i))
                .toList());
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 6));
    }

    /** Each todo waits in memory for longer than a second, so that all are read again after each run. */
    @ParameterizedTest
    @CsvSource({"1", "3"})
    void todosThatAreReadAgainKeepTheirOrder(int workers) {
        queue(TodoMode.PARALLEL_BY_KEY, workers, queue -> queue);
        List<NewTodo> todos = new ArrayList<>();
        for (int i = 1; i <= 120; i++) {
            runs.put("k" + i, Duration.ofMillis(1_500));
            // The first ones of the odd keys belong to one tenant, all that follow to the others.
            todos.add(
                    todo(i).key(queue.key("t" + (i <= 30 ? 0 : i % 3), "k" + i)).parallelKey("K" + i % 15));
        }
        queue.enqueueAll(todos);
        clock.advance(SECOND.multipliedBy(200));

        assertThat(ran).hasSize(120);
        for (int key = 0; key < 15; key++) {
            int of = key;
            assertThat(ran.stream()
                            .map(id -> Integer.parseInt(id.substring(1)))
                            .filter(i -> i % 15 == of)
                            .toList())
                    .as("key K%d", key)
                    .isSorted();
        }
    }

    /**
     * After a lost reply nobody knows which outcomes of the batch were written. So the next step does not run on here.
     */
    @Test
    void aTodoThatIsReadAgainForItsNextStepIsNotOvertaken() {
        Steps<String> steps = Steps.begin("first", this::step)
                .step("second", this::step)
                .terminal("done")
                .build();
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue.type("steps", String.class, steps));
        store.undercounts = true;
        queue.enqueueAll(IntStream.rangeClosed(1, 3)
                .mapToObj(i -> NewTodo.of("steps", "p")
                        .key(queue.key("t", "k" + i))
                        .parallelKey("K")
                        .startAt(clock.now().minusSeconds(10).plusMillis(i)))
                .toList());
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).containsExactly("k1 start", "k1 second", "k2 start", "k2 second", "k3 start", "k3 second");
    }

    private Outcome step(Todo<String> todo, TodoRun run) {
        ran.add(todo.key().timerId() + " " + todo.step());
        return Outcome.next("start".equals(todo.step()) ? "second" : "done");
    }

    @Test
    void aTodoWhoseRowWasLockedIsNotOvertaken() {
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue);
        store.isLocked = true;
        enqueue(1, 4);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 4));
    }

    @Test
    void aTodoWhoseCancellationFailsIsNotOvertaken() {
        queue(TodoMode.PARALLEL_BY_KEY, 4, queue -> queue);
        runs.put("k1", SECOND);
        enqueue(1, 4);
        // Up to shortly before the end of the first one.
        clock.advance(READ.plus(SECOND).minusMillis(5));
        TimerKey second = queue.key("t", "k2");
        store.failsToCancel = "k2";
        assertThatThrownBy(() -> scheduler.cancel(second)).isInstanceOf(StoreException.class);
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).isEqualTo(ids(1, 4));
    }
}
