package dev.duetime.testkit.contract;

import dev.duetime.Beta;
import dev.duetime.TimerState;
import dev.duetime.store.ScheduleStore;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The test suite for outcomes of a todo's handler: what each outcome writes, and when the todo runs again. It runs the
 * table of the todo queues' page, row by row, with the real engine in virtual time. Authors of a store extend it in
 * addition to {@link ScheduleStoreContract}, which tests their store alone.
 *
 * <p>Each row has a queue with a new name, so that one schema serves all tests of all runs.
 */
@Beta
public abstract class TodoOutcomeContract {
    static final Duration MINUTES = Duration.ofMinutes(3);
    private static final Duration SECONDS = Duration.ofSeconds(3);
    private static final Duration TICK = Duration.ofNanos(1_000);

    /** For the author's class. */
    protected TodoOutcomeContract() {}

    /** Returns the store to test: the same one, or one on the same data, throughout a test. */
    protected abstract ScheduleStore store();

    @TestFactory
    Stream<DynamicTest> eachOutcomeWritesAndRepeatsAsTheTableSays() {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(row.outcome, () -> new TodoOutcomeRow(store(), row).check()));
    }

    /**
     * A row of the table: an outcome of the second attempt, after the first one has thrown, and what follows.
     *
     * @param attempts how many there may be
     * @param then the state after it
     */
    record Row(String outcome, StepHandler<String> handler, int attempts, boolean retention, boolean hook, Then then) {
        Row(String outcome, StepHandler<String> handler, Then then) {
            this(outcome, handler, 9, true, false, then);
        }
    }

    /**
     * The expected state of a todo.
     *
     * @param state null if it is deleted
     * @param attempts how many are counted
     * @param error a part of the error that is kept; empty for none
     * @param again after how long it runs again; null for never
     */
    record Then(
            @Nullable TimerState state,
            String step,
            String payload,
            int attempts,
            String error,
            @Nullable Duration again) {

        static Then again(String step, String payload, int attempts, String error, Duration after) {
            return new Then(TimerState.SCHEDULED, step, payload, attempts, error, after);
        }

        static Then ended(TimerState state, String error) {
            return new Then(state, "start", "p", 2, error, null);
        }
    }

    private static Outcome failing() {
        throw new IllegalStateException("second");
    }

    private static Outcome.Retry retry() {
        return Outcome.retry(new IllegalStateException("second"));
    }

    private static List<Row> rows() {
        Duration policy = TodoOutcomeRow.POLICY;
        Then dead = Then.ended(TimerState.DEAD, "second");
        return List.of(
                new Row("complete", (todo, run) -> Outcome.complete(), Then.ended(TimerState.REACHED, "")),
                new Row(
                        "complete, where nothing is retained",
                        (todo, run) -> Outcome.complete(),
                        9,
                        false,
                        false,
                        new Then(null, "", "", 0, "", null)),
                new Row("next step", (todo, run) -> Outcome.next("two"), Then.again("two", "p", 0, "", Duration.ZERO)),
                new Row(
                        "next step, with payload",
                        (todo, run) -> Outcome.next("two").with("q"),
                        Then.again("two", "q", 0, "", Duration.ZERO)),
                new Row(
                        "again at",
                        (todo, run) -> Outcome.againAt(run.startedAt().plus(MINUTES)),
                        Then.again("start", "p", 1, "first", MINUTES)),
                new Row(
                        "again at, in the past",
                        (todo, run) -> Outcome.againAt(run.startedAt().minus(MINUTES)),
                        Then.again("start", "p", 1, "first", Duration.ofMillis(1))),
                new Row(
                        "again after",
                        (todo, run) -> Outcome.againAfter(SECONDS),
                        Then.again("start", "p", 1, "first", SECONDS)),
                new Row(
                        "again after, updated",
                        (todo, run) -> Outcome.againAfter(SECONDS).with("q"),
                        Then.again("start", "q", 1, "first", SECONDS)),
                new Row("retry", (todo, run) -> retry(), Then.again("start", "p", 2, "second", policy)),
                new Row(
                        "retry, updated",
                        (todo, run) -> retry().with("q"),
                        Then.again("start", "q", 2, "second", policy)),
                new Row(
                        "retry, updated and delayed",
                        (todo, run) -> retry().with("q").after(SECONDS),
                        Then.again("start", "q", 2, "second", SECONDS)),
                new Row(
                        "retry, of the last attempt",
                        (todo, run) -> retry().with("q"),
                        2,
                        true,
                        false,
                        new Then(TimerState.DEAD, "start", "q", 2, "second", null)),
                new Row(
                        "give up, updated",
                        (todo, run) -> Outcome.giveUp("second").with("q"),
                        new Then(TimerState.DEAD, "start", "q", 2, "second", null)),
                new Row("give up", (todo, run) -> Outcome.giveUp("second"), dead),
                new Row("exception", (todo, run) -> failing(), Then.again("start", "p", 2, "second", policy)),
                new Row(
                        "exception, delayed by the type",
                        (todo, run) -> failing(),
                        9,
                        true,
                        true,
                        Then.again("start", "p", 2, "second", TodoOutcomeRow.hooked(1))),
                new Row("exception, of the last attempt", (todo, run) -> failing(), 2, true, false, dead),
                new Row(
                        "exception, of the last attempt, delayed by the type",
                        (todo, run) -> failing(),
                        2,
                        true,
                        true,
                        dead));
    }

    static Duration justBefore(Duration again) {
        return again.isZero() ? again : again.minus(TICK);
    }
}
