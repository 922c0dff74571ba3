package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a repeat of a schedule is answered as a repeat, even if its deadline has passed meanwhile. */
class ExpiredRepeatTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final TodoQueue todos = TodoQueue.builder("todos")
            .type("job", String.class, (todo, run) -> Outcome.complete())
            .build();
    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(
                    scheduler -> scheduler.listener(listener).todoQueue(todos).queue("elsewhere", queue -> {}))
            .build();
    private final Timer timer = timer("a", "default");

    private Timer timer(String id, String queue) {
        return Timer.at(TimerKey.of(id), kit.now().plus(MINUTE))
                .queue(queue)
                .validFor(MINUTE)
                .payload("x")
                .build();
    }

    private void isRefused(Timer given) {
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler().schedule(given));
    }

    @Test
    void aRepeatOfADeliveredTimerIsIgnored() {
        kit.scheduler().schedule(timer);
        kit.advance(HOUR);

        ScheduleResult repeat = kit.scheduler().schedule(timer);

        assertThat(repeat.outcome()).isEqualTo(ScheduleOutcome.IGNORED);
        assertThat(repeat.state()).isEqualTo(TimerState.REACHED);
        assertThat(listener.rejected).isEmpty();
    }

    @Test
    void aRepeatOfAScheduledTimerIsUnchanged() {
        Timer undelivered = timer("b", "elsewhere");
        kit.scheduler().schedule(undelivered);
        kit.advance(HOUR);

        assertThat(kit.scheduler().schedule(undelivered).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(listener.rejected).isEmpty();
    }

    @Test
    void expiredOtherContentIsRefusedAndChangesNothing() {
        Timer undelivered = timer("b", "elsewhere");
        kit.scheduler().schedule(undelivered);
        kit.advance(HOUR);

        isRefused(Timer.at(undelivered.key(), kit.now().minus(MINUTE))
                .queue("elsewhere")
                .validFor(Duration.ofSeconds(1))
                .build());

        assertThat(listener.rejected).hasSize(1);
        assertThat(kit.scheduler().schedule(undelivered).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
    }

    @Test
    void anExpiredRearmOrCancelledKeyIsRefused() {
        kit.scheduler().schedule(timer);
        kit.scheduler().cancel(timer.key());
        kit.advance(HOUR);
        isRefused(timer);

        Timer delivered = timer("d", "default");
        kit.scheduler().schedule(delivered);
        kit.advance(HOUR);
        isRefused(Timer.at(delivered.key(), kit.now().minus(HOUR))
                .validFor(MINUTE)
                .rearm()
                .build());
    }

    @Test
    void aRepeatInACallersTransactionIsIgnored() {
        kit.scheduler().schedule(timer);
        kit.advance(HOUR);

        assertThat(kit.scheduler().in(kit.begin()).schedule(timer).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
    }

    @Test
    void repeatsAndNewTimersOfOneCallAreEachAnswered() {
        kit.scheduler().schedule(timer);
        kit.advance(HOUR);

        assertThat(kit.scheduler().scheduleAll(List.of(timer("n", "default"), timer)))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.IGNORED);
    }

    @Test
    void aRepeatOfATodoThatHasRunIsIgnored() {
        NewTodo todo = NewTodo.of("job", "x").id("t").startAt(kit.now()).validFor(MINUTE);
        todos.enqueue(todo);
        kit.advance(HOUR);

        assertThat(todos.enqueue(todo).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
    }

    @Test
    void aRepeatWithinAHandlerIsNoFailure() {
        NewTodo child = NewTodo.of("job", "x")
                .id("child")
                .startAt(kit.now())
                .validFor(MINUTE)
                .ownDeadline();
        TodoQueue parents = TodoQueue.builder("parents")
                .type("parent", String.class, (todo, run) -> {
                    todos.enqueue(child, run);
                    return Outcome.complete();
                })
                .build();
        TimerKit both = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(todos).todoQueue(parents))
                .build();
        todos.enqueue(child);
        both.advance(HOUR);

        parents.enqueue(NewTodo.of("parent", "x").id("parent"));
        both.runDue();

        assertThat(both.store()
                        .find(TimerKey.ofTodo("default", "parents", "parent"))
                        .orElseThrow()
                        .state())
                .isEqualTo(TimerState.REACHED);
    }
}
