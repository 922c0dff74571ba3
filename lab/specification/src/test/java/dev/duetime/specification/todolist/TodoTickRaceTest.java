package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoreException;
import dev.duetime.listener.ListSweep;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests of items that change while a tick runs, and of ticks that are late, lost, repeated or concurrent. */
class TodoTickRaceTest extends TickedList {
    @Test
    void anItemThatIsClosedBeforeItsTurnIsSilentlySkipped() {
        given("a", "b", "c");

        tick(start.plus(MINUTE.multipliedBy(2)), (id, now) -> {
            list.done("b");
            return Verdict.DONE;
        });

        assertThat(handled).containsExactly("a", "c");
        assertThat(sweeps).extracting(ListSweep::closed).containsExactly(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void anItemMovedBeforeItsTurnWaitsForItsNewTime() {
        given("a", "b");

        tick(start.plus(MINUTE), (id, now) -> {
            list.add("b", now.plus(MINUTE));
            return Verdict.DONE;
        });

        assertThat(handled).containsExactly("a");
        assertThat(open()).containsExactly("b");
    }

    @Test
    void anItemMovedDuringItsHandlerIsNotDeleted() {
        given("a");

        tick(start, (id, now) -> {
            list.add(id, now.plus(MINUTE));
            return Verdict.DONE;
        });

        assertThat(list.overdue(start)).isEmpty();
        assertThat(list.overdue(start.plus(MINUTE))).containsExactly("a");
    }

    @Test
    void aHandlerMayCloseTheItemItself() {
        given("a");

        tick(start, (id, now) -> {
            try (InMemoryTransaction transaction = kit.begin()) {
                assertThat(list.in(transaction).done(id)).isTrue();
                transaction.commit();
            }
            return Verdict.DONE;
        });

        assertThat(open()).isEmpty();
        assertThat(sweeps).extracting(ListSweep::done).containsExactly(1);
    }

    @Test
    void anItemThatIsAddedWhileTheTickRunsIsNotLost() {
        given("a");

        tick(start, (id, now) -> {
            list.add("b", start.minus(MINUTE));
            return Verdict.DONE;
        });
        tick(start.plus(MINUTE), TickedList::done);

        assertThat(handled).containsExactly("a", "b");
    }

    private final Map<String, Integer> cancelled = new HashMap<>();

    private final TodoList<String> onOtherNode = list("pending", 1);

    /** Acts like a write model: an item that is already closed stays closed. */
    private Verdict cancel(String id, Instant now) {
        cancelled.putIfAbsent(id, handled.size());
        return Verdict.DONE;
    }

    @Test
    void aLateTickHandsOverEverythingOverdue() {
        given("a", "b", "c");
        kit.advance(Duration.ofHours(1));

        tick(start.plus(Duration.ofHours(1)), this::cancel);

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
    void anOlderTickTakesOnlyItemsOverdueAtItsTime() {
        given("a", "b");

        tick(start, this::cancel);

        assertThat(open()).containsExactly("b");
    }

    @Test
    void twoNodesThatRaceDoNoHarm() {
        given("a", "b", "c");
        Instant now = start.plus(MINUTE.multipliedBy(2));

        // While the first node handles its first item, another one handles the whole list.
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
                .containsExactly(new ListSweep("pending", now, 3, 0, 0, 0), new ListSweep("pending", now, 1, 0, 0, 2));
    }

    @Test
    void aCrashInAHandlerLeavesTheItemForTheNextTick() {
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
    void aLostReplyAfterADeletionLosesNoOtherItem() {
        given("a", "b");
        kit.node(0).failAfter(StoreCall.REMOVE_UNMOVED_TODOS);

        assertThatThrownBy(() -> tick(start.plus(MINUTE), this::cancel)).isInstanceOf(StoreException.class);
        tick(start.plus(MINUTE), this::cancel);

        assertThat(handled).containsExactly("a", "b");
        assertThat(Objects.requireNonNull(cancelled.get("b"))).isEqualTo(2);
    }
}
