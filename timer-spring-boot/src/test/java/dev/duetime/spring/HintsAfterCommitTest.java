package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.WakeUps.Sent;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The rule that other nodes get a hint after the commit of a Spring transaction, and none after a rollback. */
class HintsAfterCommitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** An application that schedules and does not deliver. */
    private static void run(Consumer<AssertableApplicationContext> test) {
        Applications.runner()
                .withBean(Publisher.class, InMemoryPublisher::new)
                .withPropertyValues("duetime.auto-startup=false")
                .run(test::accept);
    }

    private static void inTransaction(AssertableApplicationContext context, boolean commits) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            context.getBean(Timers.class).schedule(Timer.after("soon", SECOND).build());
            assertThat(sentSoon(context)).isEmpty();
            if (!commits) {
                status.setRollbackOnly();
            }
        });
    }

    private static List<Sent> sentSoon(AssertableApplicationContext context) {
        context.getBean(TestClock.class).advance(Duration.ofMillis(100));
        ScheduleStore store = (ScheduleStore) context.getBean(Scheduler.class).store();
        return store.wakeUps().sent();
    }

    @Test
    void aHintIsSentAfterTheCommitOnly() {
        run(context -> {
            inTransaction(context, true);

            assertThat(sentSoon(context)).hasSize(1);
        });
    }

    @Test
    void aHintIsSentOfATimerThatBecomesDueDuringALongTransaction() {
        run(context -> {
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                context.getBean(Timers.class)
                        .schedule(Timer.after("overdue", SECOND.multipliedBy(6)).build());
                context.getBean(TestClock.class).advance(SECOND.multipliedBy(8));
            });

            assertThat(sentSoon(context)).hasSize(1);
        });
    }

    @Test
    void noHintIsSentAfterARollback() {
        run(context -> {
            inTransaction(context, false);

            assertThat(sentSoon(context)).isEmpty();
        });
    }
}
