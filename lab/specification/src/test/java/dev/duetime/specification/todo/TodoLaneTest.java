package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of when an older todo runs that is enqueued while its key has a long backlog. */
class TodoLaneTest {
    private static final int BACKLOG = 600;
    private static final int ENQUEUED_AT = 3;

    private final List<String> ran = new ArrayList<>();
    private final Instant start = Instant.parse("2030-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "SEQUENTIAL, 40, 1, 40",
        "SEQUENTIAL, 500, 1, 500",
        "SEQUENTIAL, 500, 100, 11",
        "PARALLEL_BY_KEY, 40, 1, 40",
        "PARALLEL_BY_KEY, 500, 1, 500",
        "PARALLEL_BY_KEY, 500, 100, 11"
    })
    void anOlderTodoRunsAfterThoseInMemoryOrASecond(TodoMode mode, int batchSize, int millis, int most) {
        TodoQueue[] queue = new TodoQueue[1];
        TimerKit[] kit = new TimerKit[1];
        queue[0] = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> handle(todo, queue[0], kit[0], millis))
                .mode(mode)
                .workers(2)
                .build();
        kit[0] = TimerKit.builder()
                .startTime(start)
                .configure(scheduler -> scheduler.todoQueue(queue[0]).batchSize(batchSize))
                .build();
        queue[0].enqueueAll(IntStream.range(0, BACKLOG)
                .mapToObj(i -> todo("t" + i, start.plusMillis(i - 700)))
                .toList());
        kit[0].advance(Duration.ofMinutes(5));

        assertThat(ran).hasSize(BACKLOG + 1);
        assertThat(ran.indexOf("older")).isGreaterThan(ENQUEUED_AT + 1).isLessThanOrEqualTo(most);
    }

    private static NewTodo todo(String id, Instant startAt) {
        return NewTodo.of("job", "p").id(id).parallelKey("k").startAt(startAt);
    }

    private Outcome handle(Todo<String> todo, TodoQueue queue, TimerKit kit, int millis) {
        ran.add(todo.id());
        if (ran.size() == ENQUEUED_AT) {
            queue.enqueue(todo("older", start.minusSeconds(3_600)));
        }
        kit.clock().linger(Duration.ofMillis(millis));
        return Outcome.complete();
    }
}
