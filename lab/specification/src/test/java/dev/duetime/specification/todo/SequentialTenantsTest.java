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
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that a queue which runs one todo at a time keeps the order of start dates across tenants. */
class SequentialTenantsTest {
    private static final int COUNT = 400;

    @ParameterizedTest
    @CsvSource({"20, 10", "1, 10", "20, 300000", "1, 300000", "0, 300000"})
    void todosOfAllTenantsRunInTheOrderOfTheirStartDates(int millis, int length) {
        TenantsBehindSlowReadsTest.Slow store = new TenantsBehindSlowReadsTest.Slow();
        TimerKit[] own = new TimerKit[1];
        List<String> ran = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    own[0].clock().linger(Duration.ofMillis(millis));
                    return Outcome.complete();
                })
                .mode(TodoMode.SEQUENTIAL)
                .build();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build()) {
            own[0] = kit;
            store.clock = kit.clock();
            String payload = "x".repeat(length);
            List<NewTodo> todos = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                String tenant = i < COUNT / 2 ? "first" : i % 2 == 0 ? "second" : "third";
                todos.add(NewTodo.of("job", payload)
                        .key(TimerKey.of(tenant, "t" + i))
                        .startAt(kit.now().plusMillis(i)));
            }
            queue.enqueueAll(todos);
            kit.advance(Duration.ofMinutes(1));

            assertThat(ran)
                    .isEqualTo(IntStream.range(0, COUNT).mapToObj(i -> "t" + i).toList());
        }
    }
}
