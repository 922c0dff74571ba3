package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.listener.ListSweep;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what a tick does with a to-do list. */
class TodoTickTest extends TickedList {
    @Test
    void overdueItemsAreHandedOverOldestFirstAndDeletedWhenDone() {
        given("a", "b", "c", "d");

        tick(start.plus(MINUTE), TickedList::done);

        assertThat(handled).containsExactly("a", "b");
        assertThat(open()).containsExactly("c", "d");
        assertThat(sweeps).containsExactly(new ListSweep("pending", start.plus(MINUTE), 2, 0, 0, 0));
    }

    @Test
    void anItemIsHandedOverExactlyAtItsTime() {
        given("a");

        tick(start.minus(TICK), TickedList::done);
        assertThat(handled).isEmpty();

        tick(start, TickedList::done);
        assertThat(handled).containsExactly("a");
    }

    @Test
    void theHandlerGetsTheTimeOfTheTick() {
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
    void anItemThatIsNotDoneIsHandedOverOnEachTick() {
        given("a", "b");

        for (int i = 1; i <= 3; i++) {
            tick(start.plus(MINUTE.multipliedBy(i)), (id, now) -> id.equals("a") ? Verdict.NOT_YET : Verdict.DONE);
        }

        assertThat(handled).containsExactly("a", "b", "a", "a");
        assertThat(open()).containsExactly("a");
        assertThat(sweeps).extracting(ListSweep::notYet).containsExactly(1, 1, 1);
    }

    @Test
    void aTickWithNothingOverdueCostsOneProbe() {
        list.addAll(IntStream.range(0, 10_000)
                .boxed()
                .collect(Collectors.toMap(i -> "i" + i, i -> start.plusSeconds(i + 1L))));
        int before = probes();

        tick(start, TickedList::done);

        assertThat(handled).isEmpty();
        assertThat(sweeps).isEmpty();
        assertThat(probes() - before).isEqualTo(1);
        assertThat(kit.node(0).calls(StoreCall.FIND_TODO)).isZero();
    }

    @Test
    void manyListsMayUseOneTick() {
        TodoList<String> other = list("other", 0);
        given("a");
        other.add("a", start);
        other.add("b", start);

        tick(list, start, TickedList::done);
        assertThat(other.overdue(start)).containsExactly("a", "b");
        tick(other, start, TickedList::done);

        assertThat(handled).containsExactly("a", "a", "b");
        assertThat(sweeps)
                .containsExactly(
                        new ListSweep("pending", start, 1, 0, 0, 0), new ListSweep("other", start, 2, 0, 0, 0));
    }
}
