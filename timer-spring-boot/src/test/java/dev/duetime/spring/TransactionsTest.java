package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling with and without a transaction that Spring manages. */
class TransactionsTest {
    private static final Timer TIMER = Applications.timer("order-17", "payment-timeout");

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    private void run(BiConsumer<AssertableApplicationContext, Timers> test) {
        Applications.runner()
                .withBean(Publisher.class, () -> publisher)
                .run(context -> test.accept(context, context.getBean(Timers.class)));
    }

    private static TransactionTemplate transaction(AssertableApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Test
    void aTimerIsSeenByOthersWhenItsTransactionCommits() {
        run((context, timers) -> {
            transaction(context).executeWithoutResult(status -> {
                timers.schedule(TIMER);
                assertThat(timers.find(TIMER.key())).isPresent();
                assertThat(context.getBean(Scheduler.class).find(TIMER.key())).isEmpty();
            });
            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(publisher.delivered("order-17")).hasSize(1);
        });
    }

    @Test
    void aRollbackLeavesNothing() {
        run((context, timers) -> {
            transaction(context).executeWithoutResult(status -> {
                context.getBean(JdbcTemplate.class).update("INSERT INTO orders VALUES ('17')");
                timers.schedule(TIMER);
                status.setRollbackOnly();
            });
            context.getBean(TestClock.class).advance(Duration.ofHours(1));

            assertThat(publisher.delivered()).isEmpty();
            assertThat(timers.find(TIMER.key())).isEmpty();
            assertThat(context.getBean(JdbcTemplate.class).queryForList("SELECT * FROM orders"))
                    .isEmpty();
        });
    }

    @Test
    void aCancellationIsUndoneByARollback() {
        run((context, timers) -> {
            timers.schedule(TIMER);
            transaction(context).executeWithoutResult(status -> {
                assertThat(timers.cancel(TIMER.key())).isEqualTo(CancelResult.CANCELLED);
                assertThat(timers.now()).isEqualTo(TestClock.START);
                status.setRollbackOnly();
            });
            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(publisher.delivered("order-17")).hasSize(1);
        });
    }

    @Test
    void withoutATransactionACallCommitsByItself() {
        run((context, timers) -> {
            timers.schedule(TIMER);

            assertThat(context.getBean(Scheduler.class).find(TIMER.key())).isPresent();
            assertThat(timers.now()).isEqualTo(TestClock.START);
            assertThat(timers.cancel(TIMER.key())).isEqualTo(CancelResult.CANCELLED);
        });
    }
}
