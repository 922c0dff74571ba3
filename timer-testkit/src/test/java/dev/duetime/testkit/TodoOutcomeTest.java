package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Outcome;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.TodoRun;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Specifies what each outcome of a handler writes down, and when the todo runs again. */
class TodoOutcomeTest {
    private static final Duration DELAY = Duration.ofMinutes(7);

    private final List<String> ran = new ArrayList<>();
    private StepHandler<String> handler = (todo, run) -> Outcome.complete();

    private final TodoQueue queue = TodoQueue.builder("work")
            .type(
                    "job",
                    String.class,
                    this::handle,
                    type -> type.retry(RetryPolicy.fixed(DELAY).maxAttempts(3)))
            .build();

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.extension(queue))
            .build();

    private Outcome handle(Todo<String> todo, TodoRun run) throws Exception {
        ran.add("%s %s %s %d".formatted(todo.id(), todo.step(), todo.payload(), run.attempt()));
        return handler.execute(todo, run);
    }

    private StoredTimer stored(String id) {
        return kit.store().find(TimerKey.of(id)).orElseThrow();
    }

    private String error(String id) {
        StoredTimer.Failure failure = stored(id).failure();
        return failure == null ? "" : failure.error();
    }

    private void run(StepHandler<String> once) {
        handler = once;
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.runDue();
    }

    private static Instant after(Duration delay) {
        return TestClock.START.plus(delay);
    }

    @Test
    void completeEndsIt() {
        run((todo, run) -> Outcome.complete());

        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(ran).containsExactly("a start p 1");
    }

    @Test
    void aNextStepRunsAtOnceWithAttemptsFromTheBeginning() {
        run((todo, run) -> switch (todo.step()) {
            case "start" -> Outcome.next("two");
            case "two" -> {
                if (todo.attempts() == 0) {
                    throw new IllegalStateException("first");
                }
                yield Outcome.next("three").with("q");
            }
            default -> Outcome.complete();
        });
        kit.advance(DELAY);

        assertThat(ran).containsExactly("a start p 1", "a two p 1", "a two p 2", "a three q 1");
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("a").content().step()).isEqualTo("three");
    }

    @Test
    void againKeepsPayloadAndAttempts() {
        run((todo, run) -> ran.size() < 2 ? Outcome.againAfter(DELAY) : Outcome.complete());
        assertThat(stored("a").content().dueAt()).isEqualTo(after(DELAY));
        kit.advance(DELAY);

        assertThat(ran).containsExactly("a start p 1", "a start p 1");
    }

    @Test
    void againMayUpdateThePayload() {
        run((todo, run) -> ran.size() < 2 ? Outcome.againAt(after(DELAY)).with("q") : Outcome.complete());
        kit.advance(DELAY);

        assertThat(ran).containsExactly("a start p 1", "a start q 1");
    }

    @Test
    void againInThePastRunsAtOnce() {
        run((todo, run) -> ran.size() < 2 ? Outcome.againAt(after(DELAY.negated())) : Outcome.complete());
        kit.advance(Duration.ofMillis(1));

        assertThat(ran).hasSize(2);
    }

    @Test
    void retryCountsAndWaitsByThePolicy() {
        run((todo, run) -> Outcome.retry(new IllegalStateException("no")));

        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(stored("a").wakeAt()).isEqualTo(after(DELAY));
        assertThat(stored("a").dueAt()).isEqualTo(after(Duration.ZERO));
        kit.advance(DELAY.multipliedBy(2));
        assertThat(ran).containsExactly("a start p 1", "a start p 2", "a start p 3");
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(error("a")).contains("no");
    }

    @Test
    void retryMayUpdateThePayloadAndSayTheDelay() {
        run((todo, run) -> Outcome.retry(new IllegalStateException("no"))
                .with("q" + run.attempt())
                .after(Duration.ofSeconds(3)));
        kit.advance(Duration.ofSeconds(3));

        assertThat(ran).containsExactly("a start p 1", "a start q1 2");
    }

    @Test
    void giveUpIsDeadUntilItIsRevived() {
        run((todo, run) -> Outcome.giveUp("no such customer"));

        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(error("a")).contains("no such customer");
        handler = (todo, run) -> Outcome.complete();
        kit.scheduler().admin().revive(TimerKey.of("a"));
        kit.runDue();
        assertThat(ran).containsExactly("a start p 1", "a start p 1");
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void anExceptionIsARetry() {
        run((todo, run) -> {
            throw new java.io.IOException("away");
        });

        assertThat(stored("a").attempt()).isEqualTo(1);
        kit.advance(DELAY.multipliedBy(2));
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(error("a")).contains("away");
    }

    @Test
    @SuppressWarnings("NullAway")
    void noOutcomeIsARetry() {
        run((todo, run) -> null);

        assertThat(error("a")).contains("no outcome").contains("job");
    }

    @Test
    void aRepeatOfTheIdChangesNothingWhileItRunsItsStepsOrAfter() {
        run((todo, run) -> todo.step().equals("start") ? Outcome.next("wait") : Outcome.againAfter(DELAY));
        assertThat(queue.enqueue(NewTodo.of("job", "other").id("a")).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        handler = (todo, run) -> Outcome.complete();
        kit.advance(DELAY);

        assertThat(ran).last().isEqualTo("a wait p 1");
        assertThat(queue.enqueue(NewTodo.of("job", "other").id("a")).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
    }

    @Test
    void manyRunAndEndOnce() {
        List<NewTodo> todos = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            todos.add(NewTodo.of("job", "p").id("many-" + i));
        }
        queue.enqueueAll(todos);
        kit.advance(Duration.ofSeconds(10));

        assertThat(ran).hasSize(5_000).doesNotHaveDuplicates();
    }
}
