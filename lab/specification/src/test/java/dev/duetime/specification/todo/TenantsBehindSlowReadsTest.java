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
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule that a backlog of one tenant delays no other, and no urgent todo, also if the workers run todos faster than
 * they are read.
 */
class TenantsBehindSlowReadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A store whose reads take time for each todo and for its payload. */
    static final class Slow extends PassThroughStore {
        @Nullable
        TestClock clock;

        Slow() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            if (clock != null) {
                long length = due.timers().stream()
                        .mapToLong(each -> each.content().payload().size())
                        .sum();
                clock.linger(Duration.ofMillis(due.timers().size()).plusNanos(length * 50));
            }
            return due;
        }
    }

    private final Map<String, Instant> ranAt = new HashMap<>();
    private final Slow store = new Slow();

    private static NewTodo todo(String tenant, String id, String payload, Instant startAt) {
        return NewTodo.of("job", payload).key(TimerKey.of(tenant, id)).startAt(startAt);
    }

    @ParameterizedTest
    @CsvSource({"300, 1000000", "20000, 10"})
    void urgentTodosAndThoseOfOthersAreFoundBehindABacklog(int backlog, int length) {
        TimerKit[] own = new TimerKit[1];
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ranAt.put(todo.id(), own[0].now());
                    return Outcome.complete();
                })
                .build();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build()) {
            own[0] = kit;
            store.clock = kit.clock();
            Instant begin = kit.now().plus(SECOND);
            String large = "x".repeat(length);
            for (int i = 0; i < backlog; i++) {
                queue.enqueue(todo("heavy", "h" + i, large, begin));
            }
            List<String> small = IntStream.range(0, 20).mapToObj(i -> "s" + i).toList();
            for (String id : small) {
                queue.enqueue(todo("small", id, "p", begin.plusMillis(1)));
            }
            queue.enqueue(todo("heavy", "urgent", "p", begin.plusMillis(1)).priority(1));
            kit.advance(SECOND.multipliedBy(6));

            assertThat(ranAt).hasSizeLessThan(backlog);
            assertThat(Stream.concat(small.stream(), Stream.of("urgent")))
                    .allSatisfy(id ->
                            assertThat(Duration.between(begin, ranAt.get(id))).isLessThan(SECOND.multipliedBy(3)));
        }
    }
}
