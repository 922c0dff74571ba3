package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.duetime.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests of scheduling in transactions of a second manager without a JDBC connection, and in nested transactions. The
 * pool has no auto-commit, so a write on a connection whose transaction has ended would be lost.
 */
class OtherTransactionsTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionWithoutAConnectionIsRefused(boolean commits) {
        run(application -> {
            application.broker().executeWithoutResult(status -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> application.schedule("in"))
                        .withMessageContaining("transaction must be of the timers' data source");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(application.stored()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"afterCommit", "afterCompletion"})
    void callsAfterATransactionWithoutAConnectionCommitByThemselves(String phase) {
        run(application -> {
            application.broker().executeWithoutResult(status -> on(phase, () -> application.schedule(phase)));

            assertThat(application.stored()).containsExactly(phase);
        });
    }

    /** The connection of the completed transaction is still bound to the thread. */
    @ParameterizedTest
    @ValueSource(strings = {"afterCommit", "afterCompletion"})
    void aForeignTransactionInACallbackDoesNotReviveTheCompletedOne(String phase) {
        run(application -> {
            List<Throwable> refusals = new ArrayList<>();
            application.database().executeWithoutResult(status -> {
                application.touch();
                on(
                        phase,
                        () -> application.broker().executeWithoutResult(inner -> {
                            refusals.add(catchThrowable(() -> application.schedule("in")));
                            on("afterCommit", () -> application.schedule("after both"));
                        }));
            });

            assertThat(application.stored()).containsExactly("after both");
            assertThat(refusals).singleElement().isInstanceOf(IllegalStateException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aForeignTransactionInsideJoinsTheOpenOneAround(boolean commits) {
        run(application -> {
            application.database().executeWithoutResult(status -> {
                application.broker().executeWithoutResult(inner -> application.schedule("inner"));
                application
                        .broker()
                        .executeWithoutResult(inner -> on("afterCommit", () -> application.schedule("after")));
                application.schedule("outer");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(application.stored())
                    .containsExactlyInAnyOrder(commits ? new String[] {"inner", "after", "outer"} : new String[0]);
        });
    }

    @Test
    void aTransactionWithoutAConnectionMayBeAroundOneOfTheTimers() {
        run(application -> {
            application.broker().executeWithoutResult(status -> {
                application.database().executeWithoutResult(inner -> application.schedule("in"));
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly("in");
        });
    }

    @Test
    void aNestedTransactionThatRollsBackUndoesItsOwnWritesOnly() {
        run(application -> {
            TransactionTemplate nested = application.database();
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

            application.database().executeWithoutResult(status -> {
                application.schedule("outer");
                nested.executeWithoutResult(inner -> {
                    application.schedule("nested");
                    inner.setRollbackOnly();
                });
                application.schedule("later");
            });

            assertThat(application.stored()).containsExactlyInAnyOrder("outer", "later");
        });
    }

    @Test
    void aSuspendedTransactionIsNotJoined() {
        run(application -> {
            TransactionTemplate none = application.database();
            none.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

            application.database().executeWithoutResult(status -> {
                application.schedule("lost");
                none.executeWithoutResult(inner -> application.schedule("kept"));
                application.schedule("lost, too");
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly("kept");
        });
    }

    private static void run(Consumer<Application> test) {
        try (FreshDatabase database = FreshDatabase.h2()) {
            Applications.on(database, false)
                    .withUserConfiguration(Managers.class)
                    .run(context -> test.accept(new Application(context)));
        }
    }

    private static void on(String phase, Runnable work) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                if (phase.equals("afterCommit")) {
                    work.run();
                }
            }

            @Override
            public void afterCompletion(int status) {
                if (phase.equals("afterCompletion")) {
                    work.run();
                }
            }
        });
    }

    private record Application(AssertableApplicationContext context) {
        TransactionTemplate database() {
            return new TransactionTemplate(context.getBean("database", PlatformTransactionManager.class));
        }

        TransactionTemplate broker() {
            return new TransactionTemplate(context.getBean(BrokerTransactions.class));
        }

        void touch() {
            context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM orders");
        }

        void schedule(String id) {
            context.getBean(Timers.class).schedule(Applications.timer(id, "x"));
        }

        List<String> stored() {
            return context.getBean(JdbcTemplate.class)
                    .queryForList("SELECT timer_id FROM timer_schedules", String.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Managers {
        @Bean
        @Primary
        PlatformTransactionManager database(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        BrokerTransactions broker() {
            return new BrokerTransactions();
        }
    }

    /** Transactions of a broker; of JPA with a dialect that hides its connection, they would look the same. */
    static final class BrokerTransactions extends AbstractPlatformTransactionManager
            implements ResourceTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        public Object getResourceFactory() {
            return this;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
