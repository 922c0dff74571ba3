package dev.duetime.engine.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.QueueLimits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.engine.todo.TodoLane.HeldTodo;
import dev.duetime.store.Settlement;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests of who owns a todo after a step of a worker or of the settler broke off. */
class TodoBufferTest {
    private static final StoredTimer TODO = new StoredTimer(
            TimerKey.of("t", "a"),
            0,
            new TimerContent(
                    "work", Instant.EPOCH, null, "job", Payload.NONE, Map.of(), 0, null, null, null, null, null, null),
            TimerState.SCHEDULED,
            1,
            0,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            null);

    private final Clock clock = new Stopped();
    private final TodoBuffer buffer = buffer();

    private TodoBuffer buffer() {
        RetryPolicies retries = new RetryPolicies(
                RetryRules.of(RetryPolicy.fixed(Duration.ofSeconds(1))), Map.of(), Duration.ofDays(1));
        QueueSettings queue = new QueueSettings(
                "work",
                null,
                null,
                Map.of(),
                Duration.ofSeconds(5),
                10,
                1,
                OptionalInt.empty(),
                Duration.ofDays(1),
                retries,
                new QueueLimits(null, null, null, 1, Map.of()),
                1_000_000);
        PauseFlag pause = new PauseFlag("work", new Listeners(List.of()));
        return new TodoBuffer(queue, TodoMode.PARALLEL_BY_KEY, clock, pause, new QueuePermits(queue, clock));
    }

    /** A clock that stands still. */
    private static final class Stopped implements Clock {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException("nothing runs in this test");
        }
    }

    private Entry begun(HeldTodo by) {
        buffer.take(null, by);
        return Objects.requireNonNull(by.entry());
    }

    @Test
    void aTodoThatWasNotMarkedAsRunningBelongsToTheNextWorker() {
        HeldTodo brokeOff = new HeldTodo();
        Entry lost = new Entry(new TodoLane(null, 1), TODO, 0);
        brokeOff.hold(lost);
        buffer.doubt();
        buffer.admit(List.of(TODO));
        HeldTodo other = new HeldTodo();
        begun(other);

        assertThat(buffer.isHeld(other)).isTrue();
        assertThat(buffer.isHeld(brokeOff)).isFalse();
    }

    /** An error broke off the step that forgets the outcomes of a batch, after the first run had ended. */
    @Test
    void anOutcomeOfARunThatHasEndedIsNotTakenAgain() {
        buffer.admit(List.of(TODO));
        Entry entry = begun(new HeldTodo());
        Instant later = Instant.EPOCH.plusSeconds(1);
        DoneTodo outcome = new DoneTodo(
                entry, new Settlement.Retried(TODO.key(), TODO.generation(), later, TODO.attempt(), null), null);
        buffer.done(outcome);
        assertThat(buffer.takeDone()).containsExactly(outcome);
        buffer.settled(List.of(outcome));

        assertThat(buffer.takeDone()).isEmpty();
    }
}
