package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that tenants of a todo queue take turns. */
class TodoFairnessTest {
    private static final Duration RUN = Duration.ofMillis(10);

    private final List<String> ran = new ArrayList<>();
    private @Nullable TimerKit kit;

    private TodoQueue queue(int workers) {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.key().tenantId());
                    Objects.requireNonNull(kit).clock().linger(RUN);
                    return Outcome.complete();
                })
                .mode(TodoMode.PARALLEL_BY_KEY)
                .workers(workers)
                .build();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(1))
                .build();
        return queue;
    }

    /** Enqueues todos of a tenant whose parallel keys follow from their number. */
    private static List<NewTodo> todos(String tenant, int count, IntFunction<String> parallelKey) {
        List<NewTodo> todos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            todos.add(NewTodo.of("job", "p")
                    .key(TimerKey.of(tenant, "t-" + i))
                    .parallelKey(tenant + "-" + parallelKey.apply(i)));
        }
        return todos;
    }

    private List<Long> runsOf(List<String> tenants, int first) {
        List<String> begun = ran.subList(0, first);
        return tenants.stream()
                .map(tenant -> begun.stream().filter(tenant::equals).count())
                .toList();
    }

    @Test
    void aTenantWhoseOnlyLaneIsRunningKeepsItsTurn() {
        TodoQueue queue = queue(2);
        List<NewTodo> todos = new ArrayList<>();
        todos.addAll(todos("a", 100, i -> "k" + i % 100));
        todos.addAll(todos("b", 100, i -> "k" + i % 100));
        todos.addAll(todos("c", 100, i -> "k" + i % 1));
        todos.addAll(todos("d", 100, i -> "k" + i % 1));
        queue.enqueueAll(todos);
        Objects.requireNonNull(kit).advance(Duration.ofSeconds(10));

        assertThat(ran).hasSize(400);
        assertThat(runsOf(List.of("a", "b", "c", "d"), 200))
                .allSatisfy(each -> assertThat(each).isBetween(48L, 52L));
    }

    /** Each run enqueues a todo of a new tenant. */
    @Test
    void newTenantsWaitBehindThoseThatAlreadyWait() {
        List<String> turns = new ArrayList<>();
        List<TodoQueue> own = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    turns.add(todo.key().tenantId());
                    if (turns.size() < 60) {
                        own.get(0).enqueueAll(todos("new-" + turns.size(), 1, i -> "k"));
                    }
                    return Outcome.complete();
                })
                .workers(1)
                .build();
        own.add(queue);
        TimerKit one = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(1))
                .build();
        queue.enqueueAll(todos("waits", 30, i -> "k" + i));
        one.advance(Duration.ofSeconds(5));

        assertThat(turns.subList(0, 50).stream().filter("waits"::equals)).hasSizeGreaterThan(7);
    }
}
