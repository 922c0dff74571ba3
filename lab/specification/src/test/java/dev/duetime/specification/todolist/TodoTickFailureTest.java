package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoreException;
import dev.duetime.internal.UserCode;
import dev.duetime.listener.ListSweep;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a tick when a handler, an item or the store fails. */
class TodoTickFailureTest extends TickedList {
    @Test
    void aFailedItemIsLeftForTheNextTick() {
        given("a", "b", "c");
        Instant now = start.plus(MINUTE.multipliedBy(2));

        tick(now, (id, at) -> id.equals("b") ? failing(id, at) : Verdict.DONE);
        assertThat(handled).containsExactly("a", "b", "c");
        assertThat(open()).containsExactly("b");

        tick(now.plus(MINUTE), TickedList::done);
        assertThat(handled).containsExactly("a", "b", "c", "b");
        assertThat(open()).isEmpty();
    }

    @Test
    void failuresAreCountedAndReportedOneByOne() {
        given("a", "b");

        tick(start.plus(MINUTE), TickedList::failing);

        assertThat(sweeps).containsExactly(new ListSweep("pending", start.plus(MINUTE), 0, 0, 2, 0));
        assertThat(failures).containsExactly("pending/a secret", "pending/b secret");
    }

    @Test
    void anyThrowableOfTheHandlerIsAFailure() {
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

        assertThat(sweeps).extracting(ListSweep::failed).containsExactly(6);
        assertThat(open()).containsExactly("checked", "error", "deep", "null", "own", "room");
    }

    @SuppressWarnings("NullAway") // The test is about this argument.
    private Verdict nothing() {
        return null;
    }

    @Test
    void anUnreadableIdFailsAndHidesNoOther() {
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
    void itemsThatStayAreReadOnceInEachTick() {
        list.addAll(IntStream.range(0, 250).boxed().collect(Collectors.toMap(i -> "i" + i, i -> start)));
        int before = probes();

        tick(start, (id, now) -> id.endsWith("7") ? Verdict.DONE : failing(id, now));

        assertThat(probes() - before).isEqualTo(3);
        assertThat(handled).hasSize(250).doesNotHaveDuplicates();
        assertThat(open()).hasSize(225);
    }

    @Test
    void aMissingStoreFailsTheTickAndTheNextContinues() {
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
        tick(now.plus(MINUTE), TickedList::done);

        assertThat(handled).containsExactly("a", "b", "b", "c");
        assertThat(open()).isEmpty();
    }

    @Test
    void anInterruptIsTheFailureOfItsItemOnly() {
        given("a", "b");

        UserCode engine = new UserCode(() -> false);
        engine.run(() -> list.onTick(start.plus(MINUTE), (id, now) -> {
            handled.add(id);
            Thread.currentThread().interrupt();
            throw new InterruptedException();
        }));

        assertThat(handled).containsExactly("a", "b");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(sweeps).extracting(ListSweep::failed).containsExactly(2);
    }

    @Test
    void aClosingNodeInterruptsTheTick() {
        given("a", "b", "c");
        AtomicBoolean closes = new AtomicBoolean();
        UserCode closing = new UserCode(closes::get);

        UserCode.Answer<Boolean> thrown = closing.run(() -> list.onTick(start.plus(MINUTE), (id, now) -> {
            closes.set(true);
            throw new InterruptedException();
        }));
        closes.set(false);
        UserCode.Answer<Boolean> left = closing.run(() -> list.onTick(start.plus(MINUTE), (id, now) -> {
            closes.set(true);
            handled.add(id);
            Thread.currentThread().interrupt();
            return Verdict.DONE;
        }));

        assertThat(thrown.error()).isInstanceOf(InterruptedException.class);
        assertThat(left.error()).isInstanceOf(InterruptedException.class);
        assertThat(sweeps).extracting(ListSweep::failed).containsOnly(0);
        assertThat(handled).containsExactly("a");
        assertThat(open()).containsExactly("b", "c");
    }
}
