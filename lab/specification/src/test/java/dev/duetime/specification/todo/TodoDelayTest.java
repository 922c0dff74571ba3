package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.RetryPolicy;
import dev.duetime.TimerState;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoDelay;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a type whose own delay of retries cannot be used: the retry policy decides, and the log says why. */
class TodoDelayTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String WARNING =
            "the retry policy decides the delay of a todo of type job in queue work, since its handler failed to: ";

    /** Runs a todo that fails once; returns the warnings. */
    private static List<String> warnings(TodoDelay<String> delay) {
        TodoQueue queue = TodoQueue.builder("work")
                .type(
                        "job",
                        String.class,
                        (todo, run) -> {
                            if (run.attempt() == 1) {
                                throw new IllegalStateException("away");
                            }
                            return Outcome.complete();
                        },
                        type -> type.delay(delay))
                .retry(RetryPolicy.fixed(SECOND))
                .build();
        try (LogLines lines = LogLines.ofDuetime();
                TimerKit kit = TimerKit.builder()
                        .configure(scheduler -> scheduler.todoQueue(queue))
                        .build()) {
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            kit.runDue();
            kit.advance(SECOND.minusMillis(1));
            assertThat(kit.store().find(queue.key("a")).orElseThrow().state()).isEqualTo(TimerState.SCHEDULED);
            kit.advance(Duration.ofMillis(1));
            assertThat(kit.store().find(queue.key("a")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
            return lines.messages(Level.WARN).stream()
                    .filter(line -> line.startsWith(WARNING)) // the failure itself is a warning, too
                    .toList();
        }
    }

    @Test
    void aDelayThatThrowsIsLoggedWithTheClassOfItsError() {
        assertThat(warnings((todo, error) -> {
                    throw new UnsupportedOperationException("secret");
                }))
                .singleElement()
                .asString()
                .startsWith(WARNING + "java.lang.UnsupportedOperationException")
                .doesNotContain("secret");
    }

    @Test
    void aNegativeDelayIsLoggedWithLimitAndValue() {
        assertThat(warnings((todo, error) -> SECOND.negated()))
                .containsExactly(WARNING + "delay must be at least PT0.001S but was PT-1S");
    }
}
