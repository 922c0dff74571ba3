package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that outcomes which cannot be written now stop no other todo, and take little memory. */
class TodoHeldBacklogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** As in {@code SetAside}. */
    private static final int MOST_ASIDE = 10_000;

    /** More than four reads may have. */
    private static final int HEAVY_COUNT = 50;

    private static final String HEAVY = "x".repeat(700_000);

    private final Rows store = new Rows();
    private final List<String> ran = new ArrayList<>();
    private Duration each = Duration.ofMillis(5);

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private TimerKit kit;

    /** Why an outcome cannot be written. */
    enum Reason {
        HELD(new LockedException("settle", "a row", new IOException("held"))),
        REFUSED(new RefusedException("settle", "a row", new IOException("refused")));

        @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
        private final StoreException exception;

        Reason(StoreException exception) {
            this.exception = exception;
        }
    }

    /** A store that does not settle some rows. */
    private static final class Rows extends PassThroughStore {
        private Predicate<TimerKey> cannotBeWritten = key -> false;
        private Reason reason = Reason.HELD;
        private @Nullable DueQuery lastRead;

        Rows() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        void hold(Reason why, Predicate<TimerKey> which) {
            reason = why;
            cannotBeWritten = which;
        }

        void letGo() {
            cannotBeWritten = key -> false;
        }

        @Override
        public int settle(List<Settlement> settlements) {
            if (settlements.stream().map(Settlement::key).anyMatch(cannotBeWritten)) {
                throw reason.exception;
            }
            return super.settle(settlements);
        }

        @Override
        public DueTimers due(DueQuery query) {
            lastRead = query;
            return super.due(query);
        }
    }

    private void queue(int batchSize, UnaryOperator<TodoQueue.Builder> more) {
        queue(batchSize, 2, more);
    }

    private void queue(int batchSize, int workers, UnaryOperator<TodoQueue.Builder> more) {
        queue = more.apply(TodoQueue.builder("work").type("job", String.class, (todo, run) -> handle(todo)))
                .workers(workers)
                .build();
        kit = TimerKit.builder()
                .store(store)
                .configure(scheduler ->
                        scheduler.todoQueue(queue).batchSize(batchSize).shards(1))
                .build();
        kit.advance(Duration.ofMinutes(1));
    }

    private Outcome handle(Todo<String> todo) {
        ran.add(todo.id());
        kit.clock().linger(each);
        return todo.id().startsWith("steps") && todo.step().equals("start") ? Outcome.next("two") : Outcome.complete();
    }

    private NewTodo todo(String id, String parallelKey) {
        return NewTodo.of("job", "p").id(id).parallelKey(parallelKey);
    }

    /** Enqueues todos of one parallel key, with ids that begin with it. */
    private void enqueue(String parallelKey, int count) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i ->
                        todo(parallelKey + i, parallelKey).startAt(kit.now().plusMillis(i)))
                .toList());
    }

    private static List<String> ids(String parallelKey, int count) {
        return IntStream.range(0, count).mapToObj(i -> parallelKey + i).toList();
    }

    private List<String> ranOf(String parallelKey) {
        return ran.stream().filter(id -> id.startsWith(parallelKey)).toList();
    }

    @ParameterizedTest
    @EnumSource
    void todosBehindSuchAnOutcomeLeaveRoomForOtherKeys(Reason reason) {
        queue(10, builder -> builder);
        store.hold(reason, key -> key.timerId().equals("k0"));
        enqueue("k", 41);
        kit.advance(SECOND);
        queue.enqueue(todo("x", "X"));
        kit.advance(SECOND);
        assertThat(ran).containsExactly("k0", "x");

        kit.advance(Duration.ofMinutes(1));
        store.letGo();
        kit.advance(Duration.ofMinutes(2));
        assertThat(ranOf("k")).isEqualTo(ids("k", 41));
    }

    /** With the usual size of a batch. */
    @ParameterizedTest
    @EnumSource
    void manyKeysWithSuchOutcomesLeaveRoomForOtherKeys(Reason reason) {
        queue(500, builder -> builder);
        store.hold(reason, key -> key.timerId().endsWith("-0"));
        List<String> keys = IntStream.range(0, 50).mapToObj(i -> "k" + i + "-").toList();
        keys.forEach(key -> enqueue(key, 40));
        kit.advance(SECOND);
        queue.enqueue(todo("x", "X"));
        kit.advance(SECOND);
        assertThat(ran).hasSize(51).contains("x");

        store.letGo();
        kit.advance(Duration.ofMinutes(2));
        keys.forEach(key -> assertThat(ranOf(key)).isEqualTo(ids(key, 40)));
    }

    /** A key that may run two todos at once runs the others one by one. */
    @Test
    void aKeyGoesOnWithThePermitsThatSuchAnOutcomeLeaves() {
        queue(10, builder -> builder.parallelKeyLimit(2));
        store.hold(Reason.HELD, key -> key.timerId().equals("k0"));
        enqueue("k", 41);
        kit.advance(Duration.ofMinutes(1));

        assertThat(ran).hasSize(41).doesNotHaveDuplicates();
    }

    @Test
    void aSequentialQueueWaitsForSuchAnOutcomeAndKeepsItsOrder() {
        queue(10, builder -> builder.mode(TodoMode.SEQUENTIAL));
        store.hold(Reason.HELD, key -> key.timerId().equals("k0"));
        enqueue("k", 41);
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("k0");

        store.letGo();
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).isEqualTo(ids("k", 41));
    }

    /** The next step is due at once, and comes before the later todos of the key. */
    @Test
    void theNextStepOfSuchATodoIsNotOvertaken() {
        queue(10, builder -> builder);
        store.hold(Reason.HELD, key -> key.timerId().equals("steps0"));
        enqueue("steps", 2);
        kit.advance(Duration.ofMinutes(1));
        store.letGo();
        kit.advance(Duration.ofMinutes(1));

        assertThat(ran).containsExactly("steps0", "steps0", "steps1", "steps1");
    }

    @Tag("full")
    @Test
    void aQueueSetsAsideABoundedNumberOfOutcomes() {
        int count = MOST_ASIDE + 3_000;
        each = Duration.ZERO;
        queue(200, 100, builder -> builder.mode(TodoMode.PARALLEL));
        store.hold(Reason.HELD, key -> true);
        queue.enqueueAll(
                IntStream.range(0, count).mapToObj(i -> todo("t" + i, "K")).toList());
        kit.advance(SECOND);
        assertThat(ran).hasSizeBetween(MOST_ASIDE, MOST_ASIDE + 2_000);
        DueQuery read = Objects.requireNonNull(store.lastRead);
        assertThat(read.limit()).isLessThanOrEqualTo(2 * MOST_ASIDE);
        assertThat(read.held()).hasSizeGreaterThan(MOST_ASIDE / 2);

        store.letGo();
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).hasSize(count).doesNotHaveDuplicates();
    }

    /** The todos of a step keep their payload: its outcome does not write it. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "steps"})
    void payloadsOfSuchTodosLeaveMemoryForOtherTenants(String id) {
        queue(50, builder -> builder);
        store.hold(Reason.HELD, key -> key.tenantId().equals("a"));
        queue.enqueueAll(IntStream.range(0, HEAVY_COUNT)
                .mapToObj(i -> NewTodo.of("job", HEAVY).key(queue.key("a", id + i)))
                .toList());
        kit.advance(SECOND.multipliedBy(5));
        assertThat(ran).hasSize(HEAVY_COUNT);
        queue.enqueue(NewTodo.of("job", "p").key(queue.key("b", "x")));
        kit.advance(SECOND);

        assertThat(ran).contains("x");
    }

    @Test
    void payloadsBehindSuchTodosLeaveMemoryForOtherTenants() {
        queue(50, builder -> builder);
        store.hold(Reason.HELD, key -> key.timerId().endsWith("-0"));
        for (int key = 0; key < 5; key++) {
            String name = "k" + key;
            queue.enqueueAll(IntStream.range(0, HEAVY_COUNT / 5)
                    .mapToObj(i -> NewTodo.of("job", HEAVY)
                            .key(queue.key("a", name + "-" + i))
                            .parallelKey(name))
                    .toList());
        }
        kit.advance(SECOND.multipliedBy(5));
        queue.enqueue(NewTodo.of("job", "p").key(queue.key("b", "x")));
        kit.advance(SECOND);

        assertThat(ran).hasSize(6).contains("x");
    }
}
