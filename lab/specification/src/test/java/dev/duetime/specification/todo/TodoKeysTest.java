package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that the id of a todo belongs to its queue, and never equals that of another queue or of a timer. */
class TodoKeysTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> ran = new ArrayList<>();
    private final TodoQueue mails = queue("mails");
    private final TodoQueue likes = queue("likes");
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(mails).todoQueue(likes))
            .build();

    private TodoQueue queue(String name) {
        return TodoQueue.builder(name)
                .type("add", Integer.class, (todo, run) -> {
                    ran.add(name + ":" + todo.id() + "=" + todo.payload());
                    return Outcome.complete();
                })
                .build();
    }

    private static NewTodo add(String id, int payload) {
        return NewTodo.of("add", payload).id(id).startAfter(MINUTE);
    }

    @Test
    void aTodoLeavesTheTimerOfTheSameIdAlone() {
        kit.scheduler().schedule(Timer.after("c1", MINUTE).build());

        assertThat(mails.enqueue(add("c1", 1)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        kit.advance(MINUTE);

        assertThat(kit.publisher().delivered()).hasSize(1);
        assertThat(ran).containsExactly("mails:c1=1");
    }

    @Test
    void aTimerLeavesTheTodoOfTheSameIdAlone() {
        mails.enqueue(add("c1", 1));

        assertThat(kit.scheduler().schedule(Timer.after("c1", MINUTE).build()).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        kit.advance(MINUTE);

        assertThat(kit.publisher().delivered()).hasSize(1);
        assertThat(ran).containsExactly("mails:c1=1");
    }

    @Test
    void twoQueuesMayHaveTodosOfTheSameId() {
        mails.enqueue(add("tq1", 1));

        assertThat(likes.enqueue(add("tq1", 2)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(likes.enqueue(add("tq1", 3)).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        kit.advance(MINUTE);

        assertThat(ran).containsExactlyInAnyOrder("mails:tq1=1", "likes:tq1=2");
    }

    @Test
    void aTodoIsNotFoundAsATimer() {
        mails.enqueue(add("a", 1));

        assertThat(kit.scheduler().find(TimerKey.of("a"))).isEmpty();
    }
}
