package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that todos of one parallel key keep their order in a long backlog of types with a limit and without. */
class TodoKeyOrderInBacklogTest {
    private static final int TENANTS = 5;
    private static final int TODOS = 20_000;
    private static final int KEYS = 60;

    /** A store whose reads take time. */
    private static final class Slow extends PassThroughStore {
        @Nullable
        TestClock clock;

        Slow() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            if (clock != null) {
                clock.linger(Duration.ofNanos(10_000L * due.timers().size() + 1_000_000));
            }
            return due;
        }
    }

    private final Slow store = new Slow();
    private final Map<String, List<Integer>> ran = new HashMap<>();
    private int count;

    private Outcome run(Todo<Integer> todo) {
        ran.computeIfAbsent(todo.key().tenantId() + todo.parallelKey(), key -> new ArrayList<>())
                .add(todo.payload());
        count++;
        if (store.clock != null) {
            store.clock.linger(Duration.ofMillis(5));
        }
        return Outcome.complete();
    }

    @Test
    void noTodoOvertakesAnEarlierOneOfItsKey() {
        TodoQueue queue = TodoQueue.builder("work")
                .type("free", Integer.class, (todo, run) -> run(todo))
                .type("limited", Integer.class, (todo, run) -> run(todo), type -> type.concurrencyLimit(2))
                .workers(16)
                .build();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build()) {
            Random random = new Random(1);
            Instant first = kit.now().minusSeconds(3_600);
            List<NewTodo> todos = new ArrayList<>();
            for (int i = 0; i < TODOS; i++) {
                int tenant = random.nextInt(TENANTS);
                todos.add(NewTodo.of(random.nextInt(100) < 10 ? "limited" : "free", i)
                        .key(TimerKey.of("t" + tenant, "i" + i))
                        .parallelKey("k" + tenant + "-" + random.nextInt(KEYS))
                        .startAt(first.plusMillis(i)));
            }
            queue.enqueueAll(todos);
            store.clock = kit.clock();
            kit.advance(Duration.ofSeconds(20));

            assertThat(count).isEqualTo(TODOS);
            assertThat(ran).allSatisfy((key, of) -> assertThat(of).isSorted());
        }
    }
}
