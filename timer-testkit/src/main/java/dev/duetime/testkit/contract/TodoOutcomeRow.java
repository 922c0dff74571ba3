package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.contract.TodoOutcomeContract.Row;
import dev.duetime.testkit.contract.TodoOutcomeContract.Then;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of outcomes. It runs a todo whose first attempt throws and whose second attempt has the outcome
 * of the row, and checks what follows.
 */
final class TodoOutcomeRow {
    static final Duration POLICY = Duration.ofSeconds(20);
    private static final Duration LONGER = Duration.ofMinutes(4);

    private final Row row;
    private final ScheduleStore store;
    private final String name = "todo-" + UUID.randomUUID();
    private final TimerKey key = TimerKey.ofTodo(name, name, "a");
    private final List<String> ran = new ArrayList<>();
    /** The todo as it was stored when its third run began. */
    private @Nullable StoredTimer atThird;

    TodoOutcomeRow(ScheduleStore store, Row row) {
        this.store = store;
        this.row = row;
    }

    /** Returns the delay that the type sets for a todo after this number of failed attempts. */
    static Duration hooked(int attempts) {
        return Duration.ofSeconds(7L * (attempts + 1));
    }

    private TodoQueue queue() {
        return TodoQueue.builder(name)
                .type("job", String.class, this::handle, type -> {
                    type.retry(RetryPolicy.fixed(POLICY).maxAttempts(row.attempts()));
                    if (row.hook()) {
                        type.delay((todo, error) -> hooked(todo.step().equals("start") ? todo.attempts() : 99));
                    }
                })
                .workers(2)
                .build();
    }

    private Outcome handle(Todo<String> todo, TodoRun run) throws Exception {
        ran.add("%s %s %d".formatted(todo.step(), todo.payload(), run.attempt()));
        if (ran.size() == 1) {
            throw new IllegalStateException("first");
        }
        if (ran.size() == 2) {
            return row.handler().execute(todo, run);
        }
        atThird = store.find(key).orElseThrow();
        return Outcome.complete();
    }

    void check() {
        TodoQueue queue = queue();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler
                        .todoQueue(queue)
                        .shards(2)
                        .retention(row.retention() ? Duration.ofDays(1) : Duration.ZERO))
                .build()) {
            queue.enqueue(NewTodo.of("job", "p")
                    .key(TimerKey.of(name, "a"))
                    .priority(3)
                    .parallelKey("k"));
            kit.runDue();
            assertThat(ran).containsExactly("start p 1");
            kit.advance(row.hook() ? hooked(0) : POLICY);
            assertThat(ran).startsWith("start p 1", "start p 2");
            check(kit, row.then());
        }
    }

    private void check(TimerKit kit, Then then) {
        Instant outcomeAt = kit.now();
        Duration again = then.again();
        if (again == null) {
            checkEnded(kit, then);
            return;
        }
        if (!again.isZero()) {
            assertStands(store.find(key).orElseThrow(), then);
            assertThat(store.find(key).orElseThrow().wakeAt()).isEqualTo(outcomeAt.plus(again));
            kit.advance(TodoOutcomeContract.justBefore(again));
            assertThat(ran).hasSize(2);
            kit.advanceTo(outcomeAt.plus(again));
        }
        assertThat(ran).hasSize(3);
        assertThat(ran.get(2)).isEqualTo("%s %s %d".formatted(then.step(), then.payload(), then.attempts() + 1));
        assertStands(Objects.requireNonNull(atThird), then);
        assertThat(store.find(key).map(StoredTimer::state)).contains(TimerState.REACHED);
    }

    private void checkEnded(TimerKit kit, Then then) {
        kit.advance(LONGER);
        assertThat(ran).hasSize(2);
        Optional<StoredTimer> standing = store.find(key);
        if (then.state() == null) {
            assertThat(standing).isEmpty();
            return;
        }
        assertStands(standing.orElseThrow(), then);
        assertThat(standing.orElseThrow().wakeAt()).isNull();
        boolean revived = kit.scheduler().admin().revive(key);
        assertThat(revived).isEqualTo(then.state() == TimerState.DEAD);
        kit.runDue();
        if (revived) {
            assertThat(ran.subList(2, ran.size())).containsExactly("start %s 1".formatted(then.payload()));
            assertThat(Objects.requireNonNull(atThird).attempt()).isZero();
        } else {
            assertThat(ran).hasSize(2);
        }
    }

    private static void assertStands(StoredTimer todo, Then then) {
        assertThat(todo.state()).isEqualTo(then.state());
        assertThat(todo.content().step()).isEqualTo(then.step());
        assertThat(todo.content().payload().as(String.class)).isEqualTo(then.payload());
        assertThat(todo.attempt()).isEqualTo(then.attempts());
        assertThat(todo.content().priority()).isEqualTo(3);
        assertThat(todo.content().parallelKey()).isEqualTo("k");
        StoredTimer.Failure failure = todo.failure();
        if (then.error().isEmpty()) {
            assertThat(then.state() == TimerState.REACHED || failure == null).isTrue();
        } else {
            assertThat(Objects.requireNonNull(failure).error()).contains(then.error());
        }
    }
}
