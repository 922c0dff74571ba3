package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a timer whose schedule was committed but not answered is delivered in time on its own node. */
class LostScheduleReplyTest {
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration HARDLY = Duration.ofMillis(10);

    private final List<Instant> ran = new ArrayList<>();
    private final TodoQueue todos = TodoQueue.builder("todos")
            .type("merged", String.class, (todo, run) -> ran(run.startedAt()), type -> type.merge(Merge.once()))
            .type("child", String.class, (todo, run) -> ran(run.startedAt()))
            .build();
    private final TodoQueue parents = TodoQueue.builder("parents")
            .type("parent", String.class, (todo, run) -> {
                todos.enqueue(NewTodo.of("child", "x").id("child").startAfter(SOON), run);
                return Outcome.complete();
            })
            .build();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(todos).todoQueue(parents))
            .build();
    private final KitNode node = kit.node(0);

    LostScheduleReplyTest() {
        // After this time the node polls every 5 s only.
        kit.advance(Duration.ofSeconds(31));
    }

    private Outcome ran(Instant at) {
        ran.add(at);
        return Outcome.complete();
    }

    @Test
    void aTimerIsDeliveredBeforeItExpires() {
        Instant dueAt = kit.now().plus(SOON);
        node.failAfter(StoreCall.SCHEDULE);
        assertThatThrownBy(() -> kit.scheduler()
                        .schedule(Timer.at("a", dueAt)
                                .validFor(Duration.ofSeconds(1))
                                .build()))
                .isInstanceOf(StoreException.class);

        kit.advance(SOON.plus(HARDLY));

        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aTodoThatMayBeMergedRunsBeforeItExpires() {
        Instant startAt = kit.now().plus(SOON);
        node.failAfter(StoreCall.COMMIT);
        assertThatThrownBy(() -> todos.enqueue(
                        NewTodo.of("merged", "x").id("m").correlationKey("k").startAt(startAt)))
                .isInstanceOf(StoreException.class);

        kit.advance(SOON.plus(HARDLY));

        assertThat(ran).hasSize(1);
    }

    @Test
    void aTimerOfAHandlerIsDeliveredBeforeItExpires() {
        node.failAfter(StoreCall.COMMIT);
        parents.enqueue(NewTodo.of("parent", "x").id("p"));
        kit.runDue();

        kit.advance(SOON.plus(HARDLY));

        assertThat(ran).hasSize(1);
    }
}
