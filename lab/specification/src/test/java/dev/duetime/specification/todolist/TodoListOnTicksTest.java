package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.duetime.SchedulerBuilder;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todolist.OverdueHandler;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of to-do lists that use the passage of time, on one node and on two. */
class TodoListOnTicksTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> handled = new ArrayList<>();
    private OverdueHandler<String> handler = (id, now) -> Verdict.DONE;

    /** The list of each node. The calls of a node must go through its own store. */
    private final List<TodoList<String>> lists = new ArrayList<>();

    private final TimerKit kit = TimerKit.builder().build();

    private KitNode addNode() {
        return kit.addNode(this::hang);
    }

    private void hang(SchedulerBuilder scheduler) {
        TodoList<String> list = TodoList.of("pending");
        lists.add(list);
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "pending", list.forEachOverdue(this::handle))
                .build();
        scheduler.extension(list).extension(time);
    }

    private Verdict handle(String id, Instant now) throws Exception {
        handled.add(id + " at " + Duration.between(TestClock.START, now).toMinutes());
        return handler.handle(id, now);
    }

    private TodoList<String> list() {
        return lists.get(lists.size() - 1);
    }

    @Test
    void itemsAreHandledInTheFirstMinuteAfterTheirTime() {
        addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE.plusNanos(1_000));

        kit.advance(MINUTE.multipliedBy(5));

        assertThat(handled).containsExactly("a at 1", "b at 2");
        assertThat(list().overdue(Instant.MAX)).isEmpty();
    }

    @Test
    void anInterruptOfACallersThreadEndsItsRunAndStays() {
        addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE);

        try {
            assertThatThrownBy(() -> list().onTick(kit.now().plus(MINUTE), (id, now) -> {
                        handled.add(id);
                        Thread.currentThread().interrupt();
                        return Verdict.DONE;
                    }))
                    .isInstanceOf(InterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(handled).hasSize(1);
        assertThat(list().overdue(Instant.MAX)).hasSize(1);
    }

    @Test
    void anItemThatFailsDoesNotRepeatTheTickForTheOthers() {
        addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE);
        handler = (id, now) -> {
            if (id.equals("a")) {
                throw new IllegalStateException("secret");
            }
            return Verdict.DONE;
        };

        kit.advance(MINUTE.multipliedBy(3));

        assertThat(handled).containsExactly("a at 1", "b at 1", "a at 2", "a at 3");
    }

    @Test
    void failuresAreOneLineATickThatQuotesNoMessage() {
        addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE);
        handler = (id, now) -> {
            throw new IllegalStateException("secret");
        };

        try (LogLines log = LogLines.ofAll()) {
            kit.advance(MINUTE.multipliedBy(2));

            assertThat(log.messages(Level.WARN))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("2 of 2 overdue items of to-do list pending failed at the tick of ")
                            .endsWith("first pending/a with java.lang.IllegalStateException"));
            assertThat(log.all()).allSatisfy(line -> {
                assertThat(line.getFormattedMessage()).doesNotContain("secret");
                assertThat(line.getThrowableProxy()).isNull();
            });
        }
    }

    @Test
    void aTickThatFailsInTheDatabaseIsRetriedSoon() {
        KitNode node = addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE);
        node.failBefore(StoreCall.REMOVE_UNMOVED_TODOS);

        kit.advance(MINUTE.plus(SECOND.multipliedBy(5)));

        assertThat(handled).containsExactly("a at 1", "a at 1", "b at 1");
        assertThat(list().overdue(Instant.MAX)).isEmpty();
    }

    @Test
    void listsAndTicksMayBeCombinedFreely() {
        TodoList<String> minutes = TodoList.of("minutes");
        TodoList<String> both = TodoList.of("both");
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "minutes", minutes.forEachOverdue(this::handle))
                .on(MinuteHasPassed.class, "both", both.forEachOverdue(this::handle))
                .on(HourHasPassed.class, "both", both.forEachOverdue((id, now) -> {
                    handled.add(id + " at the hour");
                    return Verdict.DONE;
                }))
                .build();
        kit.addNode(scheduler -> scheduler.extension(minutes).extension(both).extension(time));
        handler = (id, now) -> id.equals("x") ? Verdict.DONE : Verdict.NOT_YET;
        minutes.add("x", Duration.ofMinutes(58));
        both.add("y", Duration.ofMinutes(58));

        kit.advance(Duration.ofHours(2));

        assertThat(handled).containsExactlyInAnyOrder("x at 58", "y at 58", "y at 59", "y at 60", "y at the hour");
    }

    @Test
    void oneOfTwoNodesHandlesEachTick() {
        addNode();
        addNode();
        for (int i = 1; i <= 30; i++) {
            list().add("i" + i, MINUTE.multipliedBy(i));
        }

        kit.advance(MINUTE.multipliedBy(31));

        assertThat(handled).hasSize(30).doesNotHaveDuplicates().startsWith("i1 at 1", "i2 at 2");
    }

    @Test
    void itemsOfACrashedNodeAreFoundByAnother() {
        KitNode first = addNode();
        list().add("a", MINUTE);
        list().add("b", MINUTE);
        kit.advance(SECOND);
        first.crashAfter(StoreCall.REMOVE_UNMOVED_TODOS);
        kit.advance(MINUTE);
        assertThat(handled).containsExactly("a at 1");

        addNode();
        kit.advance(MINUTE);

        assertThat(handled.subList(1, handled.size())).hasSize(1).allMatch(each -> each.startsWith("b at "));
        assertThat(list().overdue(Instant.MAX)).isEmpty();
    }

    @Test
    void aListIsHandledAfterHoursWithoutANode() {
        KitNode first = addNode();
        list().add("a", MINUTE);
        kit.advance(SECOND);
        first.crash();
        kit.advance(Duration.ofHours(5));

        first.restart();
        kit.advance(SECOND.multipliedBy(15));

        assertThat(handled).hasSize(1);
    }
}
