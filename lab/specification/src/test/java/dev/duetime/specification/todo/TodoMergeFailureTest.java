package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a merge that fails, or returns a value out of range, and its effect on the handler or caller that enqueues.
 */
class TodoMergeFailureTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Boolean> flags = new ArrayList<>();
    private Merge<Integer> merge = Merge.once();

    private final TodoQueue queue = TodoQueue.builder("likes")
            .type(
                    "add",
                    Integer.class,
                    (todo, run) -> Outcome.complete(),
                    type -> type.merge((waiting, arriving) -> merge.merge(waiting, arriving)))
            .type("plain", Integer.class, (todo, run) -> {
                enqueueBoth(run);
                return Outcome.complete();
            })
            .build();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(queue))
            .build();

    private void enqueueBoth(TodoRun run) {
        queue.enqueue(add("first"), run);
        queue.enqueue(add("second"), run);
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private static NewTodo add(String id) {
        return NewTodo.of("add", 1).id(id).correlationKey("post-1").startAfter(MINUTE);
    }

    private StoredTimer stored(String id) {
        return kit.store().find(queue.key(id)).orElseThrow();
    }

    private static <T extends Throwable> void sneak(Throwable error) throws T {
        @SuppressWarnings("unchecked")
        T sneaked = (T) error;
        throw sneaked;
    }

    @ParameterizedTest
    @ValueSource(classes = {InterruptedException.class, Exception.class, Error.class, OutOfMemoryError.class})
    void whateverAMergeThrowsInAHandlerIsAFailedAttempt(Class<? extends Throwable> error) throws Exception {
        Throwable thrown = error.getConstructor().newInstance();
        queue.enqueue(add("waiting"));
        merge = (waiting, arriving) -> {
            TodoMergeFailureTest.<RuntimeException>sneak(thrown);
            return Merge.drop();
        };
        queue.enqueue(NewTodo.of("plain", 7).id("a"));
        kit.runDue();

        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(kit.store().find(queue.key("first"))).isEmpty();
    }

    @Test
    void aFlagThatAMergeLeavesBehindInAHandlerReachesNoStore() {
        queue.enqueue(add("waiting"));
        merge = (waiting, arriving) -> {
            flags.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            return Merge.merged(waiting);
        };
        queue.enqueue(NewTodo.of("plain", 7).id("a"));
        kit.runDue();

        assertThat(Thread.interrupted()).isFalse();
        assertThat(flags).containsExactly(false, false);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    private void refuses(UnaryOperator<Todo<Integer>> change, String... message) {
        queue.enqueue(add("waiting"));
        merge = (waiting, arriving) -> Merge.merged(change.apply(waiting));
        assertThatThrownBy(() -> queue.enqueue(add("another")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(message);
        assertThat(kit.store().find(queue.key("another"))).isEmpty();
        assertThat(stored("waiting").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aMergedStartDateMustBeInRange() {
        refuses(waiting -> waiting.withStartAt(Instant.MAX), "must be between 0001-01-01T00:00:00Z", "+1000000000");
    }

    @Test
    void aMergedStartDateMustNotBeMissing() {
        refuses(waiting -> waiting.withStartAt(nothing()), "must not be null");
    }

    @Test
    void aMergedDeadlineMustNotBeBeforeTheStartDate() {
        refuses(waiting -> waiting.withExpiresAt(waiting.startAt().minusSeconds(1)), "expiresAt must not be before");
    }

    @Test
    void aMergedPayloadMustNotBeMissing() {
        refuses(waiting -> waiting.withPayload(nothing()), "payload must not be null");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void aMergedPayloadMustBeOfItsType() {
        refuses(
                waiting -> (Todo<Integer>) ((Todo) waiting).withPayload("text"),
                "payload of type add must be a java.lang.Integer but was a java.lang.String");
    }

    @Test
    void aMergeThatReturnsNothingIsRefused() {
        queue.enqueue(add("waiting"));
        merge = (waiting, arriving) -> nothing();
        assertThatThrownBy(() -> queue.enqueue(add("another"))).hasMessageContaining("returned nothing");
        assertThat(stored("waiting").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        @Nullable T nothing = null;
        return nothing;
    }
}
