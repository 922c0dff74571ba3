package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Todo queues on real databases. */
class TodoOnDatabaseTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> ran = new ArrayList<>();
    private StepHandler<String> handler = (todo, run) -> Outcome.complete();

    private final TodoQueue queue = TodoQueue.builder("work")
            .type(
                    "job",
                    String.class,
                    this::handle,
                    type -> type.retry(RetryPolicy.fixed(MINUTE).maxAttempts(3)).merge(Merge.collect(String::concat)))
            .build();

    private Outcome handle(Todo<String> todo, TodoRun run) throws Exception {
        ran.add("%s %s %s %d".formatted(todo.id(), todo.step(), todo.payload(), run.attempt()));
        return handler.execute(todo, run);
    }

    private TimerKit kit(ScheduleStore store) {
        return TimerKit.builder()
                .store(store)
                .configure(settings -> settings.todoQueue(queue))
                .build();
    }

    private StoredTimer stored(TimerKit kit, String id) {
        return kit.store().find(queue.key(id)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void writesOfAHandlerCommitWithItsOutcomeOrNotAtAll(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(JdbcScheduleStore.of(pool))) {
            JdbcPart.execute(pool, "CREATE TABLE effects (id VARCHAR(20) NOT NULL)");
            handler = (todo, run) -> {
                if (!todo.id().equals("a")) {
                    return Outcome.complete();
                }
                Connection connection = run.transaction(JdbcTransaction.class).connection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("INSERT INTO effects VALUES ('a')");
                }
                queue.enqueue(NewTodo.of("job", "child").id("child-" + run.attempt()), run);
                if (run.attempt() == 1) {
                    throw new IllegalStateException("after both");
                }
                return Outcome.complete();
            };
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            kit.runDue();
            assertThat(JdbcPart.query(pool, "SELECT count(*) FROM effects")).containsExactly("0");
            assertThat(kit.store().find(queue.key("child-1"))).isEmpty();
            assertThat(stored(kit, "a").attempt()).isEqualTo(1);

            kit.advance(MINUTE);
            assertThat(JdbcPart.query(pool, "SELECT count(*) FROM effects")).containsExactly("1");
            assertThat(stored(kit, "a").state()).isEqualTo(TimerState.REACHED);
            assertThat(stored(kit, "child-2").state()).isEqualTo(TimerState.REACHED);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .as("the one for leases")
                    .isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTodoCancelledDuringItsRunLeavesNoWrites(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(JdbcScheduleStore.of(pool))) {
            handler = (todo, run) -> {
                // Another node would do the same.
                JdbcPart.execute(
                        pool, "UPDATE timer_schedules SET state = 'CANCELLED', wake_at = NULL WHERE timer_id = 'a'");
                queue.enqueue(NewTodo.of("job", "child").id("child"), run);
                return Outcome.complete();
            };
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            kit.advance(MINUTE);

            assertThat(ran).containsExactly("a start p 1");
            assertThat(kit.store().find(queue.key("child"))).isEmpty();
            assertThat(stored(kit, "a").state()).isEqualTo(TimerState.CANCELLED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void todosWithOneCorrelationKeyAreMerged(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(JdbcScheduleStore.of(pool))) {
            for (String id : List.of("a", "b", "c")) {
                queue.enqueue(NewTodo.of("job", id).id(id).correlationKey("k").startAfter(MINUTE));
            }
            queue.enqueue(NewTodo.of("job", "x").id("x").correlationKey("other").startAfter(MINUTE));
            queue.enqueue(NewTodo.of("job", "b").id("b").correlationKey("k").startAfter(MINUTE));
            kit.advance(MINUTE);

            assertThat(ran).containsExactlyInAnyOrder("a start abc 1", "x start x 1");
        }
    }

    /** Real threads on the real clock. */
    @ParameterizedTest
    @EnumSource
    void todosOfAKeyRunOneAtATimeInOrderOnTwoNodes(Database kind) throws InterruptedException {
        int keys = 10;
        int each = 20;
        Map<String, List<Integer>> order = new ConcurrentHashMap<>();
        Set<String> running = ConcurrentHashMap.newKeySet();
        List<String> overlaps = new ArrayList<>();
        CountDownLatch left = new CountDownLatch(keys * each);
        StepHandler<Integer> counting = (todo, run) -> {
            String key = String.valueOf(todo.parallelKey());
            if (!running.add(key)) {
                synchronized (overlaps) {
                    overlaps.add(todo.id());
                }
            }
            order.computeIfAbsent(key, unused -> new ArrayList<>()).add(todo.payload());
            running.remove(key);
            left.countDown();
            return Outcome.complete();
        };
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            ScheduleStore store = JdbcScheduleStore.of(pool);
            TodoQueue first = TodoQueue.builder("keys")
                    .type("count", Integer.class, counting)
                    .workers(4)
                    .build();
            TodoQueue second = TodoQueue.builder("keys")
                    .type("count", Integer.class, counting)
                    .workers(4)
                    .build();
            try (Scheduler one =
                            Scheduler.builder().store(store).todoQueue(first).build();
                    Scheduler two =
                            Scheduler.builder().store(store).todoQueue(second).build()) {
                first.enqueueAll(IntStream.range(0, keys * each)
                        .mapToObj(i -> NewTodo.of("count", i / keys)
                                .id("todo-" + i)
                                .parallelKey("key-" + i % keys)
                                .startAt(one.now().minusSeconds(1000 - i / keys)))
                        .toList());
                one.start();
                two.start();

                assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
        assertThat(overlaps).isEmpty();
        assertThat(order.values())
                .hasSize(keys)
                .allSatisfy(ran -> assertThat(ran)
                        .containsExactlyElementsOf(
                                IntStream.range(0, each).boxed().toList()));
    }
}
