package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryTransaction;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of a todo that is enqueued while another one with its correlation key waits. */
class TodoMergeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> ran = new ArrayList<>();
    private Merge<Integer> merge = Merge.collect(Integer::sum);
    private Duration takes = Duration.ZERO;
    private boolean fails;
    private @Nullable NewTodo enqueues;

    private final TodoQueue queue = TodoQueue.builder("likes")
            .type(
                    "add",
                    Integer.class,
                    this::handle,
                    type -> type.merge((waiting, arriving) -> merge.merge(waiting, arriving)))
            .type("plain", Integer.class, this::handle)
            .build();

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(queue))
            .build();

    private Outcome handle(Todo<Integer> todo, TodoRun run) {
        kit.clock().linger(takes);
        if (fails) {
            throw new IllegalStateException("fails");
        }
        NewTodo another = enqueues;
        if (another != null && todo.type().equals("plain")) {
            queue.enqueue(another, run);
        }
        ran.add(todo.id() + "=" + todo.payload());
        return Outcome.complete();
    }

    private static NewTodo add(String id, int likes) {
        return NewTodo.of("add", likes).id(id).correlationKey("post-1").startAfter(MINUTE);
    }

    private ScheduleResult enqueue(NewTodo todo) {
        return queue.enqueue(todo);
    }

    @Test
    void aTodoIsFoundBehindALaterOneOfAnotherType() {
        enqueue(add("a", 1));
        enqueue(NewTodo.of("plain", 9).id("p").correlationKey("post-1").startAfter(MINUTE.multipliedBy(2)));

        assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.MERGED);
        kit.advance(MINUTE);
        assertThat(ran).containsExactly("a=3");
    }

    @Test
    void theFirstTodoIsCreatedAndOthersAreMergedIntoIt() {
        assertThat(enqueue(add("a", 1)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        ScheduleResult second = enqueue(add("b", 2));
        assertThat(second.outcome()).isEqualTo(ScheduleOutcome.MERGED);
        assertThat(second.key()).isEqualTo(queue.key("a"));
        enqueue(add("c", 4));
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=7");
    }

    @Test
    void aTodoIsNotMergedIntoOneThatIsOver() {
        kit.scheduler().admin().pause("likes");
        enqueue(NewTodo.of("add", 1).id("a").correlationKey("post-1").validFor(MINUTE));
        kit.advance(MINUTE.multipliedBy(2));
        assertThat(enqueue(NewTodo.of("add", 2).id("b").correlationKey("post-1").validFor(MINUTE))
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        assertThat(enqueue(NewTodo.of("add", 4).id("c").correlationKey("post-1").validFor(MINUTE))
                        .outcome())
                .isEqualTo(ScheduleOutcome.MERGED);
        kit.scheduler().admin().resume("likes");
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("b=6");
    }

    @Test
    void todosOfTwoTenantsAreNotMerged() {
        enqueue(add("a", 1).key(TimerKey.of("acme", "a")));
        ScheduleResult other = enqueue(add("b", 2).key(TimerKey.of("globex", "b")));
        assertThat(other.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        enqueue(add("c", 4).key(TimerKey.of("globex", "c")));
        enqueue(add("d", 8).key(TimerKey.of("acme", "d")));
        kit.advance(MINUTE);

        assertThat(ran).containsExactlyInAnyOrder("a=9", "b=6");
    }

    @Test
    void aRepeatIsNotMergedTwice() {
        enqueue(add("a", 1));
        enqueue(add("b", 2));
        assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
        assertThat(enqueue(add("a", 1)).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=3");
    }

    @Test
    void theNewTodoMayBeDropped() {
        merge = Merge.once();
        enqueue(add("a", 1));
        assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.DROPPED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=1");
    }

    @Test
    void bothTodosMayBeKept() {
        merge = (waiting, arriving) -> Merge.insert();
        enqueue(add("a", 1));
        assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactlyInAnyOrder("a=1", "b=2");
    }

    @Test
    void theLatestByStartDateIsOffered() {
        merge = (waiting, arriving) -> Merge.insert();
        enqueue(add("early", 1));
        enqueue(add("late", 10).startAfter(MINUTE.multipliedBy(2)));
        merge = Merge.collect(Integer::sum);
        assertThat(enqueue(add("c", 100)).key()).isEqualTo(queue.key("late"));
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("early=1", "late=110");
    }

    @Test
    void aMergeMaySetAnotherPriority() {
        merge = (waiting, arriving) -> Merge.merged(waiting.withPriority(7));
        enqueue(add("a", 1));
        enqueue(add("b", 2));

        assertThat(kit.store().find(queue.key("a")).orElseThrow().content().priority())
                .isEqualTo(7);
    }

    @Test
    void debounceMovesTheDateOn() {
        merge = Merge.debounce();
        enqueue(add("a", 1));
        kit.advance(Duration.ofSeconds(40));
        enqueue(add("b", 2));
        kit.advance(Duration.ofSeconds(59));
        assertThat(ran).isEmpty();
        kit.advance(Duration.ofSeconds(1));

        assertThat(ran).containsExactly("a=2");
    }

    @Test
    void aBatchRunsAtOnceWhenItIsFull() {
        merge = Merge.batch(Integer::sum, sum -> sum >= 3);
        enqueue(add("a", 1));
        enqueue(add("b", 1));
        kit.advance(Duration.ofSeconds(5));
        assertThat(ran).isEmpty();
        enqueue(add("c", 1));
        kit.runDue();
        assertThat(ran).containsExactly("a=3");

        assertThat(enqueue(add("d", 1)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void aRunningTodoIsNotOffered() {
        enqueue(add("a", 1));
        takes = Duration.ofSeconds(10);
        kit.advance(MINUTE.minusSeconds(1));
        merge = (waiting, arriving) -> {
            throw new AssertionError("nothing waits");
        };
        Instant whileItRuns = kit.now().plusSeconds(3);
        kit.clock().start("enqueuer", () -> {
            if (!kit.now().isBefore(whileItRuns)) {
                assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
                return Instant.MAX;
            }
            return whileItRuns;
        });
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("a=1", "b=2");
    }

    @Test
    void otherKeysTypesAndThoseWithoutAKeyAreNotOffered() {
        enqueue(add("a", 1));
        assertThat(enqueue(add("b", 2).correlationKey("post-2")).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(enqueue(NewTodo.of("add", 3).id("c")).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(enqueue(NewTodo.of("plain", 4).id("d").correlationKey("post-1"))
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void aMergeThatThrowsWritesNothing() {
        enqueue(add("a", 1));
        merge = (waiting, arriving) -> {
            throw new IllegalStateException("no");
        };
        assertThatThrownBy(() -> queue.enqueueAll(List.of(NewTodo.of("plain", 9).id("before"), add("b", 2))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=1");
        assertThat(kit.store().find(queue.key("b"))).isEmpty();
    }

    @Test
    void severalOfOneCallAreMergedInTheirOrder() {
        List<ScheduleResult> results = queue.enqueueAll(List.of(add("a", 1), add("b", 2), add("c", 4)));
        assertThat(results)
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.MERGED, ScheduleOutcome.MERGED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=7");
    }

    @Test
    void aCallersTransactionThatRollsBackUndoesTheMerge() {
        enqueue(add("a", 1));
        try (InMemoryTransaction transaction = kit.begin()) {
            queue.in(transaction).enqueue(add("b", 2));
        }
        try (InMemoryTransaction transaction = kit.begin()) {
            queue.in(transaction).enqueue(add("c", 4));
            transaction.commit();
        }
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=5");
    }

    @Test
    void aRepeatThatMayRearmIsNotMergedWithItself() {
        enqueue(add("a", 1));
        assertThat(enqueue(add("a", 1).rearm()).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=1");
    }

    @Test
    void aTodoOfAnotherTypeIsNotOffered() {
        enqueue(NewTodo.of("plain", 4).id("plain").correlationKey("post-1").startAfter(MINUTE.multipliedBy(2)));
        assertThat(enqueue(add("a", 1)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void aFailedTodoKeepsWaitingForItsRetry() {
        fails = true;
        enqueue(add("a", 1));
        kit.advance(MINUTE);
        fails = false;
        Instant retryAt = kit.store().find(queue.key("a")).orElseThrow().wakeAt();
        assertThat(retryAt).isAfter(kit.now());
        assertThat(enqueue(add("b", 2)).outcome()).isEqualTo(ScheduleOutcome.MERGED);

        assertThat(kit.store().find(queue.key("a")).orElseThrow().wakeAt()).isEqualTo(retryAt);
        kit.advance(MINUTE);
        assertThat(ran).containsExactly("a=3");
    }

    @Test
    void debounceMovesTheDeadlineOnAsWell() {
        merge = Merge.debounce();
        enqueue(add("a", 1).validFor(Duration.ofSeconds(30)));
        kit.advance(Duration.ofSeconds(50));
        enqueue(add("b", 2).validFor(Duration.ofSeconds(30)));
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("a=2");
    }

    @Test
    void aMergeThatThrowsInAHandlerIsAFailedAttempt() {
        enqueue(add("waiting", 1));
        merge = (waiting, arriving) -> {
            throw new IllegalStateException("no");
        };
        enqueues = add("from-handler", 2);
        enqueue(NewTodo.of("plain", 7).id("a"));
        kit.runDue();

        assertThat(kit.store().find(queue.key("a")).orElseThrow().attempt()).isEqualTo(1);
        assertThat(kit.store().find(queue.key("from-handler"))).isEmpty();
    }
}
