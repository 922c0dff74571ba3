package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.contract.TodoOutcomeContract;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of what {@link TodoOutcomeContract} leaves open: several outcomes in a row, no outcome, and repeats of the id.
 */
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
            .configure(scheduler -> scheduler.todoQueue(queue))
            .build();

    private Outcome handle(Todo<String> todo, TodoRun run) throws Exception {
        ran.add("%s %s %s %d".formatted(todo.id(), todo.step(), todo.payload(), run.attempt()));
        return handler.execute(todo, run);
    }

    private StoredTimer stored(String id) {
        return kit.store().find(queue.key(id)).orElseThrow();
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
    @SuppressWarnings("NullAway")
    void noOutcomeIsARetry() {
        run((todo, run) -> null);

        assertThat(error("a")).contains("no outcome").contains("job");
    }

    @Test
    void aHandlerThatThrowsEnqueuesNothing() {
        run((todo, run) -> {
            queue.enqueue(NewTodo.of("job", "p").id("child-" + run.attempt()), run);
            if (run.attempt() == 1) {
                throw new IllegalStateException("after it");
            }
            return Outcome.complete();
        });
        handler = (todo, run) -> Outcome.complete();
        kit.advance(DELAY);

        assertThat(kit.store().find(queue.key("child-1"))).isEmpty();
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aRepeatOfTheIdChangesNothing() {
        run((todo, run) -> todo.step().equals("start") ? Outcome.next("wait") : Outcome.againAfter(DELAY));
        assertThat(queue.enqueue(NewTodo.of("job", "other").id("a")).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        handler = (todo, run) -> Outcome.complete();
        kit.advance(DELAY);

        assertThat(ran).last().isEqualTo("a wait p 1");
        assertThat(queue.enqueue(NewTodo.of("job", "other").id("a")).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
    }

    @Test
    void aStartDateThatCannotBeStoredIsAFailedAttempt() {
        run((todo, run) -> Outcome.againAfter(Duration.ofDays(3_650_000)));

        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(error("a")).contains("startAt must be between");
        kit.advance(DELAY.multipliedBy(3));
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void anOutcomeOutOfRangeIsAFailedAttempt() {
        run((todo, run) -> new Outcome.Retry(new IllegalStateException("x"), Duration.ofSeconds(Long.MAX_VALUE), null));

        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(error("a")).contains("delay must be at most PT8760H");
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

    @Test
    void theLastRetryKeepsItsPayload() {
        run((todo, run) -> Outcome.retry(new IllegalStateException("no")).with("noted " + run.attempt()));
        kit.advance(DELAY.multipliedBy(3));

        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(stored("a").content().payload().as(String.class)).isEqualTo("noted 3");
        kit.scheduler().admin().revive(TimerQuery.all());
        handler = (todo, run) -> Outcome.complete();
        kit.runDue();
        assertThat(ran.get(3)).isEqualTo("a start noted 3 1");
    }

    @Test
    void aRetryThatIsTooLateKeepsItsPayload() {
        handler = (todo, run) -> Outcome.retry(new IllegalStateException("no")).with("noted");
        queue.enqueue(NewTodo.of("job", "p").id("a").validFor(Duration.ofMinutes(1)));
        kit.runDue();

        assertThat(stored("a").state()).isEqualTo(TimerState.EXPIRED);
        assertThat(stored("a").content().payload().as(String.class)).isEqualTo("noted");
    }

    @Test
    void aTodoThatIsGivenUpKeepsItsPayload() {
        run((todo, run) -> Outcome.giveUp("hopeless").with("noted"));

        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(error("a")).isEqualTo("given up: hopeless");
        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(stored("a").content().payload().as(String.class)).isEqualTo("noted");
    }

    @Test
    void aPayloadOfAnotherClassFailsTheStep() {
        run((todo, run) -> Outcome.next("two").with(17));

        assertThat(stored("a").content().step()).isEqualTo("start");
        assertThat(error("a")).contains("payload of type job must be a java.lang.String but was a java.lang.Integer");
    }
}
