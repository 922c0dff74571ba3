package dev.duetime.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.RetryPolicy;
import dev.duetime.internal.Inside;
import dev.duetime.internal.todo.AttachedQueue;
import dev.duetime.internal.todo.TodoLimits;
import dev.duetime.internal.todo.TodoSettings;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that each setter of a todo queue checks its value at once, with the wording of the other builders. */
@SuppressWarnings("NullAway") // null is what the setters refuse
class TodoSettingsTest {
    private final TodoQueue.Builder queue = TodoQueue.builder("mails");

    private static void refuses(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    private ThrowingCallable type(Consumer<TodoTypeBuilder<String>> settings) {
        return () -> queue.type("mail", String.class, (todo, run) -> Outcome.complete(), settings);
    }

    @Test
    void aNameIsCheckedAtOnce() {
        refuses("queue must not be null", () -> TodoQueue.builder(null));
        refuses("queue must not be empty", () -> TodoQueue.builder(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TodoQueue.builder("q".repeat(65)))
                .withMessageStartingWith("queue must be at most 64 characters but was 65");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_001, -1})
    void workersAreOneToAThousand(int workers) {
        refuses("workers must be between 1 and 1000 but was " + workers, () -> queue.workers(workers));
    }

    @Test
    void aTimeLimitIsAMillisecondToAYear() {
        refuses("timeLimit must be at least PT0.001S but was PT0S", () -> queue.timeLimit(Duration.ZERO));
        refuses("timeLimit must be at most PT8760H but was PT8784H", () -> queue.timeLimit(Duration.ofDays(366)));
        refuses("timeLimit must not be null", () -> queue.timeLimit(null));
    }

    @Test
    void aTodoWithoutPayloadIsRefused() {
        refuses("payload must not be null", () -> NewTodo.of("mail", null));
    }

    @Test
    void aStepWithoutHandlerIsRefused() {
        refuses("handler must not be null", () -> Steps.<String>begin("a", null));
    }

    @Test
    void modeAndRetryMustNotBeNull() {
        refuses("mode must not be null", () -> queue.mode(null));
        refuses("retry must not be null", () -> queue.retry(null));
    }

    @Test
    void aTypeIsCheckedAtOnce() {
        refuses("type must not be null", () -> queue.type(null, String.class, (todo, run) -> Outcome.complete()));
        refuses("type must not be empty", () -> queue.type("", String.class, (todo, run) -> Outcome.complete()));
        refuses("payload must not be null", () -> queue.type("mail", null, (todo, run) -> Outcome.complete()));
        refuses("handler must not be null", () -> queue.type("mail", String.class, null));
    }

    @Test
    void settingsOfATypeAreCheckedAtOnce() {
        refuses("merge must not be null", type(settings -> settings.merge(null)));
        refuses("retry must not be null", type(settings -> settings.retry(null)));
        refuses("delay must not be null", type(settings -> settings.delay(null)));
        refuses("validFor must be at least PT0.001S but was PT0S", type(settings -> settings.validFor(Duration.ZERO)));
    }

    @Test
    void aTypeIsAddedOnce() {
        queue.type("mail", String.class, (todo, run) -> Outcome.complete());
        refuses("type must be added once but was again: 'mail'", type(settings -> {}));
    }

    @Test
    void aBuiltQueueKeepsItsSettings() {
        RetryPolicy retry = RetryPolicy.fixed(Duration.ofSeconds(1));
        queue.mode(TodoMode.SEQUENTIAL)
                .workers(3)
                .timeLimit(Duration.ofMinutes(1))
                .retry(retry)
                .enqueuesOnly();
        TodoQueue built = queue.build();
        queue.workers(4);

        assertThat(built.name()).isEqualTo("mails");
        assertThat(Inside.of(built, AttachedQueue.class).settings())
                .isEqualTo(new TodoSettings(
                        TodoMode.SEQUENTIAL, 3, Duration.ofMinutes(1), retry, true, TodoLimits.NONE, Map.of()));
    }
}
