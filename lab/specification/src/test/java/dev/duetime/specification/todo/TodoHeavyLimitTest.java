package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that todos with large payloads which wait for permits leave memory for others. */
class TodoHeavyLimitTest {
    /** As many payloads of this size as the buffer may hold by their number are more than any read takes. */
    private static final String LARGE = "x".repeat(700_000);

    private static final int LARGE_COUNT = 40;

    private final Map<String, Integer> ran = new HashMap<>();

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private TimerKit kit;

    private void queue(UnaryOperator<TodoQueue.Builder> limits) {
        queue = limits.apply(TodoQueue.builder("work").type("quick", String.class, (todo, run) -> handle(todo)))
                .workers(4)
                .build();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(1).batchSize(50))
                .build();
        kit.advance(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private Outcome handle(Todo<String> todo) {
        ran.merge(todo.key().tenantId() + " " + todo.type(), 1, Integer::sum);
        return Outcome.complete();
    }

    private TodoQueue.Builder slowly(TodoQueue.Builder builder, String type) {
        return builder.type(
                type,
                String.class,
                (todo, run) -> handle(todo),
                settings -> settings.rateLimit(RateLimit.perMinute(6).burst(1)));
    }

    private void enqueue(String tenant, String type, int count, String payload) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of(type, payload)
                        .key(queue.key(tenant, type + i))
                        .startAt(kit.now().minusSeconds(60).plusMillis(i)))
                .toList());
    }

    private void othersBecomeDue() {
        kit.advance(Duration.ofSeconds(5));
        queue.enqueueAll(IntStream.range(0, 20)
                .mapToObj(i -> NewTodo.of("quick", "p").key(queue.key("one", "q" + i)))
                .toList());
        kit.advance(Duration.ofSeconds(2));
    }

    @Test
    void aTypeThatWaitsLeavesMemoryForOtherTypes() {
        queue(builder -> slowly(builder, "slow"));
        enqueue("one", "slow", LARGE_COUNT, LARGE);
        othersBecomeDue();

        assertThat(ran).containsEntry("one quick", 20);
        kit.advance(Duration.ofMinutes(7));
        assertThat(ran).containsEntry("one slow", LARGE_COUNT);
    }

    @Test
    void typesOfSeveralTenantsThatWaitLeaveMemoryForOthers() {
        queue(builder -> slowly(builder, "slow"));
        enqueue("one", "slow", LARGE_COUNT, LARGE);
        enqueue("two", "slow", LARGE_COUNT, LARGE);
        othersBecomeDue();

        assertThat(ran).containsEntry("one quick", 20);
    }

    @Test
    void severalTypesThatWaitLeaveMemoryForOthers() {
        List<String> types = List.of("a", "b", "c", "d", "e", "f");
        queue(builder -> {
            TodoQueue.Builder all = builder;
            for (String each : types) {
                all = slowly(all, each);
            }
            return all;
        });
        types.forEach(each -> enqueue("one", each, LARGE_COUNT / 4, LARGE));
        othersBecomeDue();

        assertThat(ran).containsEntry("one quick", 20);
        types.forEach(each -> assertThat(ran).containsKey("one " + each));
    }

    @Test
    void aTenantThatWaitsLeavesMemoryForOtherTenants() {
        queue(builder -> builder.tenantRateLimit(RateLimit.perMinute(600)));
        enqueue("big", "quick", LARGE_COUNT, LARGE);
        othersBecomeDue();

        assertThat(ran).containsEntry("one quick", 20);
    }
}
