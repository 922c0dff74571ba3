package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.testkit.TestClock;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The rule that a todo queue is an ordinary bean and takes part in the transactions of Spring. */
class TodoQueuesTest {
    private final List<String> done = new ArrayList<>();

    private final TodoQueue mails = TodoQueue.builder("mails")
            .type("welcome", String.class, (todo, run) -> {
                done.add(todo.payload());
                return Outcome.complete();
            })
            .build();

    private final ApplicationContextRunner application = Applications.runner().withBean(TodoQueue.class, () -> mails);

    @Test
    void todosRunOnTheApplicationsScheduler() {
        application.run(context -> {
            mails.enqueue(NewTodo.of("welcome", "u-17").startAfter(Duration.ofMinutes(10)));

            context.getBean(TestClock.class).advance(Duration.ofMinutes(9));
            assertThat(done).isEmpty();

            context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
            assertThat(done).containsExactly("u-17");
        });
    }

    @Test
    void todosAreEnqueuedInTheTransactionOfSpring() {
        application.run(context -> {
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transactions.executeWithoutResult(status -> {
                mails.enqueue(NewTodo.of("welcome", "rolled back"));
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(status -> mails.enqueue(NewTodo.of("welcome", "committed")));
            context.getBean(TestClock.class).advance(Duration.ofMinutes(1));

            assertThat(done).containsExactly("committed");
        });
    }
}
