package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that todos of one parallel key keep their order while todos of a type or tenant wait for permits. */
class TodoKeyOrderTest {
    /** More than the buffer holds of a limited type. */
    private static final int WAITING = 60;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> ran = new ArrayList<>();

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private TimerKit kit;

    private void queue(TodoMode mode, UnaryOperator<TodoQueue.Builder> limits) {
        queue = limits.apply(TodoQueue.builder("work").type("quick", String.class, (todo, run) -> handle(todo)))
                .mode(mode)
                .workers(4)
                .build();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(1).batchSize(50))
                .build();
        kit.advance(MINUTE);
    }

    private void limitedType(TodoMode mode) {
        queue(
                mode,
                builder -> builder.type(
                        "slow",
                        String.class,
                        (todo, run) -> handle(todo),
                        type -> type.rateLimit(RateLimit.perSecond(2))));
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private Outcome handle(Todo<String> todo) {
        ran.add(todo.key().timerId());
        return Outcome.complete();
    }

    private NewTodo todo(String tenant, String type, String id, Instant startAt) {
        return NewTodo.of(type, "p").key(queue.key(tenant, id)).startAt(startAt);
    }

    /** Todos that wait for permits, each with a parallel key of its own. */
    private void waiting(String type) {
        Instant first = kit.now().minus(MINUTE);
        queue.enqueueAll(IntStream.range(0, WAITING)
                .mapToObj(
                        i -> todo("big", type, "slow" + i, first.plusMillis(i)).parallelKey("k" + i))
                .toList());
    }

    /** Later todos, one for each of the parallel keys. */
    private void followers(String tenant) {
        Instant first = kit.now().minusSeconds(1);
        queue.enqueueAll(IntStream.range(0, WAITING)
                .mapToObj(i ->
                        todo(tenant, "quick", "quick" + i, first.plusMillis(i)).parallelKey("k" + i))
                .toList());
    }

    private void assertOrdered() {
        assertThat(ran).hasSize(2 * WAITING);
        for (int i = 0; i < WAITING; i++) {
            assertThat(ran).containsSubsequence("slow" + i, "quick" + i);
        }
    }

    @Test
    void aTypeWithoutALimitDoesNotOvertakeOneThatWaits() {
        limitedType(TodoMode.PARALLEL_BY_KEY);
        waiting("slow");
        followers("big");
        kit.advance(MINUTE);

        assertOrdered();
    }

    @Test
    void aKeyWaitsForTheTodosOfEachTypeThatWaits() {
        queue(
                TodoMode.PARALLEL_BY_KEY,
                builder -> builder.type(
                                "slow",
                                String.class,
                                (todo, run) -> handle(todo),
                                type -> type.rateLimit(RateLimit.perSecond(20)))
                        .type(
                                "late",
                                String.class,
                                (todo, run) -> handle(todo),
                                type -> type.rateLimit(RateLimit.perSecond(2))));
        waiting("slow");
        Instant first = kit.now().minusSeconds(30);
        queue.enqueueAll(IntStream.range(0, WAITING)
                .mapToObj(i ->
                        todo("big", "late", "late" + i, first.plusMillis(i)).parallelKey("k" + i))
                .toList());
        followers("big");
        kit.advance(MINUTE);

        assertThat(ran).hasSize(3 * WAITING);
        for (int i = 0; i < WAITING; i++) {
            assertThat(ran).containsSubsequence("slow" + i, "late" + i, "quick" + i);
        }
    }

    @Test
    void todosThatBecomeDueLaterDoNotOvertake() {
        limitedType(TodoMode.PARALLEL_BY_KEY);
        waiting("slow");
        kit.advance(Duration.ofSeconds(3));
        followers("big");
        kit.advance(MINUTE);

        assertOrdered();
    }

    @Test
    void tenantsThatShareAKeyKeepItsOrder() {
        queue(TodoMode.PARALLEL_BY_KEY, builder -> builder.tenantRateLimit(RateLimit.perSecond(2)));
        waiting("quick");
        followers("other");
        kit.advance(MINUTE);

        assertOrdered();
    }

    @Test
    void aSequentialQueueKeepsItsOrder() {
        limitedType(TodoMode.SEQUENTIAL);
        waiting("slow");
        followers("big");
        kit.advance(MINUTE);

        assertThat(ran)
                .containsExactlyElementsOf(IntStream.range(0, 2 * WAITING)
                        .mapToObj(i -> i < WAITING ? "slow" + i : "quick" + (i - WAITING))
                        .toList());
    }

    @Test
    void aQueueThatIsParallelHasNoOrder() {
        limitedType(TodoMode.PARALLEL);
        waiting("slow");
        followers("big");
        kit.advance(Duration.ofSeconds(1));

        assertThat(ran).filteredOn(id -> id.startsWith("quick")).hasSize(WAITING);
    }

    @Test
    void otherKeysAndTodosWithoutAKeyDoNotWait() {
        limitedType(TodoMode.PARALLEL_BY_KEY);
        waiting("slow");
        Instant now = kit.now();
        queue.enqueueAll(List.of(
                todo("big", "quick", "free", now),
                todo("big", "quick", "own", now).parallelKey("own")));
        kit.advance(Duration.ofSeconds(1));

        assertThat(ran).contains("free", "own");
    }

    @Test
    void aCancelledTodoHoldsBackNothing() {
        queue(
                TodoMode.PARALLEL_BY_KEY,
                builder -> builder.type(
                        "slow",
                        String.class,
                        (todo, run) -> handle(todo),
                        type -> type.rateLimit(RateLimit.of(1, Duration.ofDays(1)))));
        waiting("slow");
        followers("big");
        kit.advance(Duration.ofSeconds(5));
        TimerKey last = queue.key("big", "slow" + (WAITING - 1));
        kit.node(0).scheduler().cancel(last);
        kit.advance(Duration.ofSeconds(10));

        assertThat(ran).containsExactly("slow0", "quick0", "quick" + (WAITING - 1));
    }
}
