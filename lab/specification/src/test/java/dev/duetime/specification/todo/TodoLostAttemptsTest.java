package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that a todo which kills its process spends no attempts of others. */
class TodoLostAttemptsTest {
    private static final int INNOCENTS = 2_540;
    private static final int KILLER = 40;

    private final Set<String> ended = new HashSet<>();
    private @Nullable TimerKit kit;
    private int kills;

    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", Integer.class, (todo, run) -> {
                TimerKit running = Objects.requireNonNull(kit);
                // Other todos are still running when this one kills the process.
                running.clock().linger(Duration.ofMillis(5));
                if (todo.payload() == KILLER) {
                    kills++;
                    running.nodes().stream()
                            .filter(node -> node.clock().isRunningHere())
                            .forEach(KitNode::crash);
                }
                ended.add(todo.id());
                return Outcome.complete();
            })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(10))
            .build();

    private StoredTimer stored(int number) {
        return Objects.requireNonNull(kit)
                .store()
                .find(queue.key("t-" + number))
                .orElseThrow();
    }

    @Test
    void aTodoThatKillsTenProcessesEndsNoOtherTodo() {
        TimerKit running = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(4))
                .build();
        kit = running;
        queue.enqueueAll(IntStream.rangeClosed(0, INNOCENTS)
                .mapToObj(i ->
                        NewTodo.of("job", i).id("t-" + i).startAt(running.now().plusMillis(i)))
                .toList());
        running.advance(Duration.ofSeconds(3));
        for (int i = 0; i < 14 && stored(KILLER).state() == TimerState.SCHEDULED; i++) {
            running.addNode();
            running.advance(Duration.ofSeconds(20));
        }
        running.advance(Duration.ofSeconds(30));

        assertThat(stored(KILLER).state()).isEqualTo(TimerState.DEAD);
        assertThat(kills).isEqualTo(11);
        assertThat(IntStream.rangeClosed(0, INNOCENTS).filter(i -> i != KILLER))
                .allSatisfy(i -> assertThat(stored(i).state()).isEqualTo(TimerState.REACHED));
        assertThat(ended).hasSize(INNOCENTS);
    }
}
