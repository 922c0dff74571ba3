package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Steps;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code that the documentation of todo queues shows. */
class TodoQueueExampleTest {
    private final List<String> done = new ArrayList<>();
    private final Mailer mailer = new Mailer();

    record Welcome(String userId) {}

    record Order(String id, int payments) {
        Order paid() {
            return new Order(id, payments + 1);
        }
    }

    private final class Mailer {
        void send(Welcome welcome) {
            done.add("mail to " + welcome.userId());
        }
    }

    @Test
    void aTodoRuns() {
        TodoQueue mails = TodoQueue.builder("mails")
                .type("welcome", Welcome.class, (todo, run) -> {
                    mailer.send(todo.payload());
                    return Outcome.complete();
                })
                .build();
        try (TimerKit kit =
                TimerKit.builder().configure(s -> s.todoQueue(mails)).build()) {
            Scheduler scheduler = kit.scheduler();
            assertThat(scheduler.now()).isEqualTo(TestClock.START);

            mails.enqueue(NewTodo.of("welcome", new Welcome("u-17"))
                    .id("welcome-u-17")
                    .parallelKey("u-17")
                    .startAfter(Duration.ofMinutes(10)));

            kit.advance(Duration.ofMinutes(10));
        }
        assertThat(done).containsExactly("mail to u-17");
    }

    @Test
    void aStateMachineGoesStepByStep() {
        Steps<Order> takeOrder = Steps.<Order>begin("store", this::store)
                .step(
                        "pay",
                        (todo, run) -> Outcome.next("mail").with(todo.payload().paid()))
                .step("mail", this::mail)
                .terminal("done")
                .build();
        TodoQueue orders = TodoQueue.builder("orders")
                .type(
                        "take-order",
                        Order.class,
                        takeOrder,
                        type -> type.retry(RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofHours(1))
                                .maxAttempts(20)))
                .mode(TodoMode.PARALLEL_BY_KEY)
                .workers(8)
                .timeLimit(Duration.ofMinutes(1))
                .build();
        try (TimerKit kit =
                TimerKit.builder().configure(s -> s.todoQueue(orders)).build()) {
            orders.enqueue(NewTodo.of("take-order", new Order("o-1", 0)).id("o-1"));
            kit.runDue();
        }
        assertThat(done).containsExactly("store o-1", "mail o-1 with 1 payments");
    }

    private Outcome store(Todo<Order> todo, TodoRun run) {
        done.add("store " + todo.payload().id());
        return Outcome.next("pay");
    }

    private Outcome mail(Todo<Order> todo, TodoRun run) {
        done.add("mail %s with %d payments"
                .formatted(todo.payload().id(), todo.payload().payments()));
        return Outcome.next("done");
    }

    @Test
    void likesAreAddedUpAndWrittenOnceAMinute() {
        TodoQueue likes = TodoQueue.builder("likes")
                .type(
                        "count",
                        Integer.class,
                        (todo, run) -> {
                            done.add(todo.correlationKey() + " +" + todo.payload());
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
        try (TimerKit kit =
                TimerKit.builder().configure(s -> s.todoQueue(likes)).build()) {
            for (int i = 0; i < 3; i++) {
                likes.enqueue(NewTodo.of("count", 1).correlationKey("post-7").startAfter(Duration.ofMinutes(1)));
            }
            kit.advance(Duration.ofMinutes(1));
        }
        assertThat(done).containsExactly("post-7 +3");
    }
}
