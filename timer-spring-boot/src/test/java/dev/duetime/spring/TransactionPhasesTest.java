package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timers;
import dev.duetime.testkit.TestClock;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling, enqueuing and listing in each phase of a transaction, on pools with and without auto-commit. */
class TransactionPhasesTest {
    private final TodoQueue mails = TodoQueue.builder("mails")
            .type("welcome", String.class, (todo, run) -> Outcome.complete())
            .build();
    private final TodoList<String> unpaid = TodoList.of("unpaid");

    static Stream<Arguments> pools() {
        return Stream.of("h2", "postgres")
                .flatMap(each -> Stream.of(Arguments.of(each, true), Arguments.of(each, false)));
    }

    private void run(String kind, boolean autoCommit, Consumer<Phases> test) {
        try (FreshDatabase database = kind.equals("h2") ? FreshDatabase.h2() : FreshDatabase.postgres()) {
            Applications.on(database, autoCommit)
                    .withBean(TodoQueue.class, () -> mails)
                    .withBean(TodoList.class, () -> unpaid)
                    .withUserConfiguration(Listening.class)
                    .run(context -> test.accept(new Phases(context)));
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void writesInATransactionExistIfItCommits(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            phases.transaction(true, () -> phases.write("in"));
            phases.transaction(true, () -> phases.synchronize(phases.beforeCommit("beforeCommit")));
            phases.transaction(true, () -> phases.synchronize(phases.beforeCompletion("beforeCompletion")));

            phases.expect("in", "beforeCommit", "beforeCompletion");
        });
    }

    @ParameterizedTest
    @MethodSource("pools")
    void aRollbackLeavesNothing(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            phases.transaction(false, () -> phases.write("in"));
            phases.transaction(false, () -> phases.synchronize(phases.beforeCompletion("beforeCompletion")));

            phases.expect();
        });
    }

    @ParameterizedTest
    @MethodSource("pools")
    void writesAfterTheTransactionCommitByThemselves(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            phases.transaction(true, () -> phases.synchronize(phases.afterCommit(() -> phases.write("afterCommit"))));
            phases.transaction(true, () -> phases.synchronize(phases.afterCompletion("afterCompletion")));
            phases.transaction(false, () -> phases.synchronize(phases.afterCompletion("afterRollback")));

            phases.expect("afterCommit", "afterCompletion", "afterRollback");
        });
    }

    @ParameterizedTest
    @MethodSource("pools")
    void eachPhaseOfATransactionalEventListenerJoinsTheRightTransaction(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            ApplicationEventPublisher events = phases.context();
            phases.transaction(true, () -> events.publishEvent(new Committing(() -> phases.write("committing"))));
            phases.transaction(true, () -> events.publishEvent(new Committed(() -> phases.write("committed"))));
            phases.transaction(true, () -> events.publishEvent(new Completed(() -> phases.write("completed"))));
            phases.transaction(false, () -> events.publishEvent(new RolledBack(() -> phases.write("rolledBack"))));

            phases.expect("committing", "committed", "completed", "rolledBack");
        });
    }

    @ParameterizedTest
    @MethodSource("pools")
    void aNewTransactionIsJoinedInEachPhase(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            phases.transaction(false, () -> phases.transaction(true, () -> phases.write("in")));
            phases.transaction(true, () -> phases.transaction(false, () -> phases.write("lost")));
            phases.transaction(
                    true,
                    () -> phases.synchronize(phases.afterCommit(() -> {
                        phases.transaction(true, () -> phases.write("afterCommit"));
                        phases.transaction(false, () -> phases.write("lostAfterCommit"));
                        phases.transaction(
                                true, () -> phases.synchronize(phases.afterCommit(() -> phases.write("afterBoth"))));
                        phases.write("afterInner");
                    })));

            phases.expect("in", "afterCommit", "afterBoth", "afterInner");
        });
    }

    @ParameterizedTest
    @MethodSource("pools")
    void noConnectionIsLeaked(String kind, boolean autoCommit) {
        run(kind, autoCommit, phases -> {
            for (int i = 0; i < 10; i++) {
                phases.write("alone");
                phases.transaction(
                        true, () -> phases.synchronize(phases.afterCommit(() -> phases.write("afterCommit"))));
            }

            phases.expect("alone", "afterCommit");
        });
    }

    record Committing(Runnable write) {}

    record Committed(Runnable write) {}

    record Completed(Runnable write) {}

    record RolledBack(Runnable write) {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Listening {
        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void on(Committing event) {
            event.write().run();
        }

        @TransactionalEventListener
        void on(Committed event) {
            event.write().run();
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void on(Completed event) {
            event.write().run();
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void on(RolledBack event) {
            event.write().run();
        }
    }

    /** The actions to run in each phase of the transactions of one application. */
    private final class Phases {
        private final AssertableApplicationContext context;
        private final TransactionTemplate transactions;

        Phases(AssertableApplicationContext context) {
            this.context = context;
            transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        }

        AssertableApplicationContext context() {
            return context;
        }

        void transaction(boolean commits, Runnable work) {
            transactions.executeWithoutResult(status -> {
                context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM orders");
                work.run();
                if (!commits) {
                    status.setRollbackOnly();
                }
            });
        }

        void synchronize(TransactionSynchronization synchronization) {
            TransactionSynchronizationManager.registerSynchronization(synchronization);
        }

        TransactionSynchronization beforeCommit(String id) {
            return new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    write(id);
                }
            };
        }

        TransactionSynchronization beforeCompletion(String id) {
            return new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    write(id);
                }
            };
        }

        TransactionSynchronization afterCommit(Runnable work) {
            return new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    work.run();
                }
            };
        }

        TransactionSynchronization afterCompletion(String id) {
            return new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    write(id);
                }
            };
        }

        /** Schedules a timer, enqueues a todo and adds an item to a list. */
        void write(String id) {
            context.getBean(Timers.class).schedule(Applications.timer(id, "x"));
            mails.enqueue(NewTodo.of("welcome", id).id("todo-" + id).startAfter(Duration.ofDays(1)));
            unpaid.add(id, Duration.ofMinutes(15));
        }

        /** Checks from outside the transaction that each of the three has stored these, and no others. */
        void expect(String... ids) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForList("SELECT timer_id FROM timer_schedules WHERE queue = 'default'", String.class))
                    .containsExactlyInAnyOrder(ids);
            assertThat(jdbc.queryForList("SELECT timer_id FROM timer_schedules WHERE queue = 'mails'", String.class))
                    .containsExactlyInAnyOrder(
                            Stream.of(ids).map(each -> "todo-" + each).toArray(String[]::new));
            List<String> listed =
                    unpaid.overdue(TestClock.START.plus(Duration.ofDays(1))).toList();
            assertThat(listed).containsExactlyInAnyOrder(ids);
        }
    }
}
