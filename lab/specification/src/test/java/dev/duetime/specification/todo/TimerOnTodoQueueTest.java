package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.MalformedMessageException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.command.ScheduleTimerHandler;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rule that a todo queue takes todos only. */
class TimerOnTodoQueueTest {
    private static final TimerKey KEY = TimerKey.of("a");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static TodoQueue.Builder mails() {
        return TodoQueue.builder("mails").type("welcome", String.class, (todo, run) -> {
            if (todo.payload().equals("timer")) {
                run.schedule(Timer.after(KEY, SECOND).queue("mails").build());
            }
            return Outcome.complete();
        });
    }

    private static TimerKit kit(TodoQueue queue) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build();
    }

    private static Timer timer() {
        return Timer.after(KEY, SECOND)
                .queue("mails")
                .type("welcome")
                .payload("x")
                .build();
    }

    @Test
    void aTimerIsRefusedOnATodoQueue() {
        for (TodoQueue queue :
                new TodoQueue[] {mails().build(), mails().enqueuesOnly().build()}) {
            try (TimerKit kit = kit(queue)) {
                assertThatThrownBy(() -> kit.scheduler().schedule(timer()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("queue must be one of timers but was the todo queue 'mails', where"
                                + " TodoQueue.enqueue adds todos (timer default/a)");
                assertThat(kit.scheduler().find(KEY)).isEmpty();
            }
        }
    }

    @Test
    void aCommandForATodoQueueIsMalformed() {
        try (TimerKit kit = kit(mails().build())) {
            byte[] command = "{\"tenantId\":\"acme\",\"timerId\":\"a\",\"queue\":\"mails\",\"delay\":\"PT1S\"}"
                    .getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> new ScheduleTimerHandler(kit.scheduler()).handle(command))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("queue must be one of timers");
        }
    }

    @Test
    void aHandlerThatSchedulesATimerOnATodoQueueFails() {
        TodoQueue queue = mails().build();
        try (TimerKit kit = kit(queue)) {
            queue.enqueue(NewTodo.of("welcome", "timer").id("b"));
            kit.advance(SECOND);

            StoredTimer stored = kit.scheduler().find(queue.key("b")).orElseThrow();
            assertThat(stored.attempt()).isPositive();
            assertThat(String.valueOf(stored.failure())).contains("queue must be one of timers");
        }
    }

    @Test
    void aTimerThatIsStoredOnATodoQueueIsDeadAtOnce() {
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.queue("mails", queue -> {}))
                .build()) {
            kit.scheduler().schedule(timer());
            kit.addNode(scheduler -> scheduler.todoQueue(mails().build()));
            kit.advance(Duration.ofMinutes(1));

            StoredTimer stored = kit.scheduler().find(KEY).orElseThrow();
            assertThat(stored.state()).isEqualTo(TimerState.DEAD);
            assertThat(stored.attempt()).isOne();
            assertThat(String.valueOf(stored.failure())).contains("it is a timer without a step, and not a todo");
        }
    }
}
