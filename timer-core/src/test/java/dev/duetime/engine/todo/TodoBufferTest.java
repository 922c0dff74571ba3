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
import dev.duetime.engine.settle.SetAside;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.engine.todo.TodoLane.HeldTodo;
import dev.duetime.store.Settlement;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of who owns a todo after a step of a worker or of the settler broke off. */
class TodoBufferTest {
    private static final int BATCH = 10;
    private static final int READ_BYTES = 1_000_000;

    private static final StoredTimer TODO = todo("t", "a", 0, null, Payload.NONE);

    private long nanos;
    /** By how much time passes with each question for it. */
    private long step;

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
                BATCH,
                1,
                OptionalInt.empty(),
                Duration.ofDays(1),
                retries,
                new QueueLimits(null, null, null, 1, Map.of()),
                READ_BYTES);
        PauseFlag pause = new PauseFlag("work", new Listeners(List.of()));
        return new TodoBuffer(queue, TodoMode.PARALLEL_BY_KEY, clock, pause, new QueuePermits(queue, clock));
    }

    private static StoredTimer todo(
            String tenant, String id, int number, @Nullable String parallelKey, Payload payload) {
        return todo(tenant, id, number, 1 + number, parallelKey, payload);
    }

    private static StoredTimer todo(
            String tenant, String id, int number, long generation, @Nullable String parallelKey, Payload payload) {
        Instant dueAt = Instant.EPOCH.plusMillis(number);
        return new StoredTimer(
                TimerKey.of(tenant, id),
                0,
                new TimerContent(
                        "work", dueAt, null, "job", payload, Map.of(), 0, null, parallelKey, null, null, null, null),
                TimerState.SCHEDULED,
                generation,
                0,
                dueAt,
                dueAt,
                null,
                null,
                null);
    }

    /** A clock that stands still unless a test moves it. */
    private final class Stopped implements Clock {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            nanos += step;
            return nanos;
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

    /** The first of a lane becomes outdated while the buffer looks for those that are. */
    @Test
    void aLaneIsDroppedAsAWhole() {
        long second = Duration.ofSeconds(1).toNanos();
        for (int offset = 1; offset <= 100; offset++) {
            nanos = 0;
            step = 0;
            TodoBuffer fresh = buffer();
            fresh.admit(List.of(todo("other", "x", 0, null, Payload.NONE)));
            nanos = second / 10;
            fresh.admit(List.of(todo("t", "first", 1, "key", Payload.NONE)));
            nanos = second / 4;
            fresh.admit(IntStream.range(2, 20)
                    .mapToObj(i -> todo("t", "later-" + i, i, "key", Payload.NONE))
                    .toList());
            step = 1_000;
            nanos = second + second / 10 - offset * step;
            HeldTodo by = new HeldTodo();
            fresh.take(null, by);

            Entry begun = by.entry();
            assertThat(begun == null ? "none" : begun.todo.key().timerId()).doesNotStartWith("later");
        }
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

    /** Runs the next todo, and sets its outcome aside. */
    private DoneTodo setAside() {
        return setAside(todo -> new Settlement.Deleted(todo.key(), todo.generation()));
    }

    private DoneTodo setAside(Function<StoredTimer, Settlement> settlement) {
        Entry entry = begun(new HeldTodo());
        DoneTodo outcome = new DoneTodo(entry, settlement.apply(entry.todo), null);
        buffer.done(outcome);
        assertThat(buffer.takeDone()).containsExactly(outcome);
        buffer.setAside(List.of(outcome));
        buffer.settledTaken(List.of());
        return outcome;
    }

    @Test
    void aQueueWithTooManyOutcomesThatCannotBeWrittenReadsNothing() {
        DoneTodo last = null;
        for (int i = 0; i <= SetAside.MOST; i++) {
            assertThat(buffer.isClogged()).isFalse();
            buffer.admit(List.of(todo("t", "a" + i, i, null, Payload.NONE)));
            last = setAside();
        }
        assertThat(buffer.isClogged()).isTrue();
        assertThat(buffer.reads().generationsAside()).hasSize(SetAside.MOST + 1);

        buffer.settled(List.of(Objects.requireNonNull(last)));
        assertThat(buffer.isClogged()).isFalse();
    }

    /** What waits behind such an outcome is no supply: nobody knows when it may run. */
    @Test
    void todosBehindAnOutcomeThatCannotBeWrittenLeaveTheBuffer() {
        buffer.admit(IntStream.range(0, 3 * BATCH)
                .mapToObj(i -> todo("t", "a" + i, i, "K", Payload.NONE))
                .toList());
        assertThat(buffer.isFull()).isTrue();
        DoneTodo first = setAside();

        assertThat(buffer.isFull()).isFalse();
        assertThat(buffer.size()).isEqualTo(1);
        assertThat(buffer.reads().fullLanes(Set.of(0)).parallelKeys()).containsExactly("K");
        buffer.settled(List.of(first));
        assertThat(buffer.reads().fullLanes(Set.of(0)).isNothing()).isTrue();
        assertThat(buffer.reads().takeReadsAgain()).isTrue();
    }

    /** An error between two changes does not make them supply again. */
    @Test
    void anOutcomeThatCannotBeWrittenIsKnownAfterARecovery() {
        buffer.admit(List.of(todo("t", "a0", 0, "K", Payload.NONE)));
        setAside();
        buffer.doubt();
        List<StoredTimer> behind = IntStream.range(1, 3 * BATCH)
                .mapToObj(i -> todo("t", "a" + i, i, "K", Payload.NONE))
                .toList();
        assertThat(buffer.admit(behind)).hasSize(behind.size());

        assertThat(buffer.isFull()).isFalse();
        assertThat(buffer.reads().aside()).isEqualTo(1);
    }

    @Test
    void thePayloadOfAnOutcomeThatCannotBeWrittenIsForgotten() {
        Payload heavy = Payload.wrap(new byte[4 * READ_BYTES]);
        buffer.admit(List.of(todo("t", "a", 0, null, heavy)));
        assertThat(buffer.reads().isHeavy()).isTrue();
        DoneTodo outcome = setAside();

        assertThat(buffer.reads().isHeavy()).isFalse();
        assertThat(outcome.entry().todo.content().payload()).isEqualTo(Payload.NONE);
    }

    /** In a small heap with many queues, one payload may be larger than all reads together. */
    @Test
    void aFewLargeOutcomesThatCannotBeWrittenStopNothing() {
        Payload heavy = Payload.wrap(new byte[5 * READ_BYTES]);
        for (int i = 0; i <= 8; i++) {
            assertThat(buffer.isClogged()).isFalse();
            assertThat(buffer.reads().isHeavy()).isFalse();
            StoredTimer next = todo("t", "a" + i, i, 100 + i, null, heavy);
            buffer.admit(List.of(todo("t", "a" + i, i, null, Payload.NONE)));
            setAside(todo -> new Settlement.Advanced(todo.generation(), next, true));
        }
        assertThat(buffer.isClogged()).isTrue();
    }

    /** A full buffer takes the list of these late, and reads the same todo again and again meanwhile. */
    @Test
    void aTodoThatIsScheduledAnewWhileItRunsIsNotedOnce() {
        buffer.admit(List.of(TODO));
        begun(new HeldTodo());
        StoredTimer anew = todo("t", "a", 0, 77, null, Payload.wrap(new byte[1_000]));
        for (int i = 0; i < 1_000; i++) {
            assertThat(buffer.notRunning(List.of(anew))).isEmpty();
        }

        assertThat(buffer.reads().takeDropped()).singleElement().satisfies(noted -> {
            assertThat(noted.generation()).isEqualTo(77);
            assertThat(noted.content().payload()).isEqualTo(Payload.NONE);
        });
    }

    /** The lane was full, so that the todo of another tenant was left in the database. */
    @Test
    void aReadForOneTenantDoesNotOvertakeWhatAFullLaneHasLeft() {
        List<StoredTimer> read = new ArrayList<>();
        IntStream.range(0, 32).forEach(i -> read.add(todo("a", "a" + i, i, "K", Payload.NONE)));
        StoredTimer left = todo("b", "b32", 32, "K", Payload.NONE);
        read.add(left);
        read.add(todo("b", "other", 33, "L", Payload.NONE));
        assertThat(buffer.admit(read)).containsExactly(left);
        nanos = Duration.ofSeconds(2).toNanos();
        buffer.take(null, new HeldTodo());
        BufferReads reads = buffer.reads();
        assertThat(reads.takeReadsAgain()).isTrue();
        reads.beginRead();
        assertThat(Objects.requireNonNull(reads.takeTurn()).tenants()).containsExactly("b");
        StoredTimer later = todo("a", "a34", 34, "K", Payload.NONE);

        assertThat(buffer.admit(List.of(later))).containsExactly(later);
    }
}
