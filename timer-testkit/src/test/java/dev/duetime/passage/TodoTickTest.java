package dev.duetime.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.NodeListener;
import dev.duetime.StoreException;
import dev.duetime.TodoKey;
import dev.duetime.TodoSweep;
import dev.duetime.passage.TodoHandler.Verdict;
import dev.duetime.testkit.InMemoryTransaction;
import dev.duetime.testkit.NodeCrash;
import dev.duetime.testkit.StoreCall;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Specifies what a tick does with a to-do list. */
class TodoTickTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TICK = Duration.ofNanos(1_000);

    private final List<TodoSweep> sweeps = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder()
            .nodes(2)
            .configure(scheduler -> scheduler.listener(new NodeListener() {
                @Override
                public void sweptTodos(TodoSweep sweep) {
                    sweeps.add(sweep);
                }

                @Override
                public void todoFailed(TodoKey key, Instant now, Throwable error) {
                    failures.add(key + " " + error.getMessage());
                }
            }))
            .build();
    private final Instant start = kit.now();
    private final TodoList<String> list = list("pending", 0);
    private final List<String> handled = new ArrayList<>();

    private TodoList<String> list(String name, int node) {
        TodoList<String> list = TodoList.of(name);
        list.attach(kit.node(node).scheduler());
        return list;
    }

    /** Adds items, a minute apart, the first of them overdue now. */
    private void given(String... ids) {
        for (int i = 0; i < ids.length; i++) {
            list.add(ids[i], start.plus(MINUTE.multipliedBy(i)));
        }
    }

    private void tick(Instant now, TodoHandler<String> handler) {
        tick(list, now, handler);
    }

    private void tick(TodoList<String> ticked, Instant now, TodoHandler<String> handler) {
        try {
            ticked.onTick(now, (id, at) -> {
                handled.add(id);
                return handler.handle(id, at);
            });
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> open() {
        return list.overdue(Instant.MAX).toList();
    }

    private static Verdict done(String id, Instant now) {
        return Verdict.DONE;
    }

    private static Verdict failing(String id, Instant now) {
        throw new IllegalStateException("secret");
    }

    @Test
    void overdueItemsAreHandedOverOldestFirstAndDeletedWhenDone() {
        given("a", "b", "c", "d");

        tick(start.plus(MINUTE), TodoTickTest::done);

        assertThat(handled).containsExactly("a", "b");
        assertThat(open()).containsExactly("c", "d");
        assertThat(sweeps).containsExactly(new TodoSweep("pending", start.plus(MINUTE), 2, 0, 0, 0));
    }

    @Test
    void anItemIsHandedOverAtItsTimeAndNotAMicrosecondBefore() {
        given("a");

        tick(start.minus(TICK), TodoTickTest::done);
        assertThat(handled).isEmpty();

        tick(start, TodoTickTest::done);
        assertThat(handled).containsExactly("a");
    }

    @Test
    void theHandlerIsToldTheTimeOfTheTick() {
        given("a");
        kit.advance(Duration.ofHours(1));
        List<Instant> told = new ArrayList<>();

        tick(start.plus(MINUTE), (id, now) -> {
            told.add(now);
            return Verdict.DONE;
        });

        assertThat(told).containsExactly(start.plus(MINUTE));
    }

    @Test
    void whatIsNotDoneYetIsHandedOverAgainOnEachTick() {
        given("a", "b");

        for (int i = 1; i <= 3; i++) {
            tick(start.plus(MINUTE.multipliedBy(i)), (id, now) -> id.equals("a") ? Verdict.NOT_YET : Verdict.DONE);
        }

        assertThat(handled).containsExactly("a", "b", "a", "a");
        assertThat(open()).containsExactly("a");
        assertThat(sweeps).extracting(TodoSweep::notYet).containsExactly(1, 1, 1);
    }

    @Test
    void aTickWithNothingOverdueCallsNobodyAndCostsOneProbeHoweverMuchIsPending() {
        list.addAll(IntStream.range(0, 10_000)
                .boxed()
                .collect(Collectors.toMap(i -> "i" + i, i -> start.plusSeconds(i + 1L))));
        int before = probes();

        tick(start, TodoTickTest::done);

        assertThat(handled).isEmpty();
        assertThat(sweeps).isEmpty();
        assertThat(probes() - before).isEqualTo(1);
        assertThat(kit.node(0).calls(StoreCall.FIND_TODO)).isZero();
    }

    private int probes() {
        return kit.node(0).calls(StoreCall.OVERDUE_TODOS);
    }

    @Test
    void manyListsHangOnOneTick() {
        TodoList<String> other = list("other", 0);
        given("a");
        other.add("a", start);
        other.add("b", start);

        tick(list, start, TodoTickTest::done);
        assertThat(other.overdue(start)).containsExactly("a", "b");
        tick(other, start, TodoTickTest::done);

        assertThat(handled).containsExactly("a", "a", "b");
        assertThat(sweeps)
                .containsExactly(
                        new TodoSweep("pending", start, 1, 0, 0, 0), new TodoSweep("other", start, 2, 0, 0, 0));
    }

    @Nested
    class Failing {
        @Test
        void oneThatThrowsIsLeftForTheNextTickAndTheRestGoOn() {
            given("a", "b", "c");
            Instant now = start.plus(MINUTE.multipliedBy(2));

            tick(now, (id, at) -> id.equals("b") ? failing(id, at) : Verdict.DONE);
            assertThat(handled).containsExactly("a", "b", "c");
            assertThat(open()).containsExactly("b");

            tick(now.plus(MINUTE), TodoTickTest::done);
            assertThat(handled).containsExactly("a", "b", "c", "b");
            assertThat(open()).isEmpty();
        }

        @Test
        void failuresAreCountedAndToldOneByOne() {
            given("a", "b");

            tick(start.plus(MINUTE), TodoTickTest::failing);

            assertThat(sweeps).containsExactly(new TodoSweep("pending", start.plus(MINUTE), 0, 0, 2, 0));
            assertThat(failures).containsExactly("pending/a secret", "pending/b secret");
        }

        @Test
        void whateverIsTheFaultOfTheHandlerIsAFailure() {
            given("checked", "error", "deep", "null", "own", "room", "fine");

            tick(start.plus(MINUTE.multipliedBy(6)), (id, now) -> switch (id) {
                case "checked" -> throw new Exception("no");
                case "error" -> throw new AssertionError("no");
                case "deep" -> throw new StackOverflowError();
                case "null" -> nothing();
                case "own" -> throw new Error("no");
                case "room" -> throw new OutOfMemoryError();
                default -> Verdict.DONE;
            });

            assertThat(sweeps).extracting(TodoSweep::failed).containsExactly(6);
            assertThat(open()).containsExactly("checked", "error", "deep", "null", "own", "room");
        }

        @SuppressWarnings("NullAway") // It is what is tested.
        private Verdict nothing() {
            return null;
        }

        @Test
        void anIdThatCannotBeReadIsAFailureAndHidesNoOther() {
            given("17", "seventeen", "18");
            TodoList<Integer> numbers = TodoList.of("pending", String::valueOf, Integer::valueOf);
            numbers.attach(kit.scheduler());
            List<Integer> read = new ArrayList<>();

            try {
                numbers.onTick(start.plus(MINUTE.multipliedBy(2)), (id, now) -> {
                    read.add(id);
                    return Verdict.DONE;
                });
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }

            assertThat(read).containsExactly(17, 18);
            assertThat(open()).containsExactly("seventeen");
        }

        @Test
        void whatStaysIsReadOnceATickThoughItFillsPages() {
            list.addAll(IntStream.range(0, 250).boxed().collect(Collectors.toMap(i -> "i" + i, i -> start)));
            int before = probes();

            tick(start, (id, now) -> id.endsWith("7") ? Verdict.DONE : failing(id, now));

            assertThat(probes() - before).isEqualTo(3);
            assertThat(handled).hasSize(250).doesNotHaveDuplicates();
            assertThat(open()).hasSize(225);
        }

        @Test
        void aStoreThatIsAwayFailsTheTickAndTheNextOneDoesTheRest() {
            given("a", "b", "c");
            Instant now = start.plus(MINUTE.multipliedBy(2));
            assertThatThrownBy(() -> tick(now, (id, at) -> {
                        if (id.equals("b")) {
                            kit.node(0).storeDown();
                        }
                        return Verdict.DONE;
                    }))
                    .isInstanceOf(StoreException.class);
            kit.node(0).storeUp();

            assertThat(open()).containsExactly("b", "c");
            tick(now.plus(MINUTE), TodoTickTest::done);

            assertThat(handled).containsExactly("a", "b", "b", "c");
            assertThat(open()).isEmpty();
        }

        @Test
        void anInterruptEndsTheTickAndLeavesTheRest() {
            given("a", "b");

            assertThatThrownBy(() -> list.onTick(start.plus(MINUTE), (id, now) -> {
                        throw new InterruptedException();
                    }))
                    .isInstanceOf(InterruptedException.class);
            assertThatThrownBy(() -> list.onTick(start.plus(MINUTE), (id, now) -> {
                        handled.add(id);
                        Thread.currentThread().interrupt();
                        return Verdict.DONE;
                    }))
                    .isInstanceOf(InterruptedException.class);

            assertThat(handled).containsExactly("a");
            assertThat(open()).containsExactly("b");
        }
    }

    @Nested
    class Meanwhile {
        @Test
        void anItemThatIsClosedBeforeItsTurnIsSilentlySkipped() {
            given("a", "b", "c");

            tick(start.plus(MINUTE.multipliedBy(2)), (id, now) -> {
                list.done("b");
                return Verdict.DONE;
            });

            assertThat(handled).containsExactly("a", "c");
            assertThat(sweeps).extracting(TodoSweep::closed).containsExactly(1);
            assertThat(failures).isEmpty();
        }

        @Test
        void anItemThatIsMovedBeforeItsTurnWaitsForItsNewTime() {
            given("a", "b");

            tick(start.plus(MINUTE), (id, now) -> {
                list.add("b", now.plus(MINUTE));
                return Verdict.DONE;
            });

            assertThat(handled).containsExactly("a");
            assertThat(open()).containsExactly("b");
        }

        @Test
        void anItemThatIsMovedWhileItsHandlerRunsIsNotDeletedByItsVerdict() {
            given("a");

            tick(start, (id, now) -> {
                list.add(id, now.plus(MINUTE));
                return Verdict.DONE;
            });

            assertThat(list.overdue(start)).isEmpty();
            assertThat(list.overdue(start.plus(MINUTE))).containsExactly("a");
        }

        @Test
        void aHandlerMayCloseTheItemInATransactionOfItsOwn() {
            given("a");

            tick(start, (id, now) -> {
                try (InMemoryTransaction transaction = kit.begin()) {
                    assertThat(list.in(transaction).done(id)).isTrue();
                    transaction.commit();
                }
                return Verdict.DONE;
            });

            assertThat(open()).isEmpty();
            assertThat(sweeps).extracting(TodoSweep::done).containsExactly(1);
        }

        @Test
        void anItemThatIsAddedWhileTheTickRunsIsNotLost() {
            given("a");

            tick(start, (id, now) -> {
                list.add("b", start.minus(MINUTE));
                return Verdict.DONE;
            });
            tick(start.plus(MINUTE), TodoTickTest::done);

            assertThat(handled).containsExactly("a", "b");
        }
    }

    @Nested
    class Ticks {
        private final Map<String, Integer> cancelled = new HashMap<>();
        private final TodoList<String> onOtherNode = list("pending", 1);

        /** Acts as a write model does: what is closed already stays as it is. */
        private Verdict cancel(String id, Instant now) {
            cancelled.putIfAbsent(id, handled.size());
            return Verdict.DONE;
        }

        @Test
        void aLateTickHandsOverAllThatIsOverdue() {
            given("a", "b", "c");
            kit.advance(Duration.ofDays(1));

            tick(start.plus(Duration.ofDays(1)), this::cancel);

            assertThat(handled).containsExactly("a", "b", "c");
        }

        @Test
        void aLostTickLosesNothing() {
            given("a", "b");
            // The ticks of the first two minutes never come.
            tick(start.plus(MINUTE.multipliedBy(2)), this::cancel);

            assertThat(cancelled).containsOnlyKeys("a", "b");
            assertThat(open()).isEmpty();
        }

        @Test
        void aRepeatedTickFindsNothingToDo() {
            given("a", "b");

            tick(start.plus(MINUTE), this::cancel);
            tick(start.plus(MINUTE), this::cancel);
            tick(start, this::cancel);

            assertThat(handled).containsExactly("a", "b");
        }

        @Test
        void anOlderTickThatComesLastTakesOnlyWhatWasOverdueThen() {
            given("a", "b");

            tick(start, this::cancel);

            assertThat(open()).containsExactly("b");
        }

        @Test
        void twoNodesThatRaceDoNoHarm() {
            given("a", "b", "c");
            Instant now = start.plus(MINUTE.multipliedBy(2));

            // While the first node handles its first item, another works off the whole list.
            tick(now, (id, at) -> {
                if (cancelled.isEmpty()) {
                    tick(onOtherNode, at, this::cancel);
                }
                return cancel(id, at);
            });

            assertThat(handled).containsExactly("a", "a", "b", "c");
            assertThat(cancelled).containsOnlyKeys("a", "b", "c");
            assertThat(open()).isEmpty();
            assertThat(failures).isEmpty();
            assertThat(sweeps)
                    .containsExactly(
                            new TodoSweep("pending", now, 3, 0, 0, 0), new TodoSweep("pending", now, 1, 0, 0, 2));
        }

        @Test
        void aNodeThatCrashesInAHandlerLeavesTheItemForTheNextTick() {
            given("a", "b", "c");
            Instant now = start.plus(MINUTE.multipliedBy(2));
            kit.node(0).crashBefore(StoreCall.REMOVE_UNMOVED_TODOS);

            assertThatThrownBy(() -> tick(now, this::cancel)).isInstanceOf(NodeCrash.class);
            tick(onOtherNode, now.plus(MINUTE), this::cancel);

            assertThat(handled).containsExactly("a", "a", "b", "c");
            assertThat(cancelled).containsOnlyKeys("a", "b", "c");
            assertThat(onOtherNode.overdue(Instant.MAX)).isEmpty();
        }

        @Test
        void aReplyThatIsLostAfterAnItemWasDeletedLosesNoOther() {
            given("a", "b");
            kit.node(0).failAfter(StoreCall.REMOVE_UNMOVED_TODOS);

            assertThatThrownBy(() -> tick(start.plus(MINUTE), this::cancel)).isInstanceOf(StoreException.class);
            tick(start.plus(MINUTE), this::cancel);

            assertThat(handled).containsExactly("a", "b");
            assertThat(Objects.requireNonNull(cancelled.get("b"))).isEqualTo(2);
        }
    }
}
