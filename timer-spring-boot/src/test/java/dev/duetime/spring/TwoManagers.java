package dev.duetime.spring;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with the transaction manager of its data source and others without a JDBC connection. The pool has no
 * auto-commit, so a write on a connection whose transaction has ended would be lost.
 */
record TwoManagers(AssertableApplicationContext context) {
    /** A manager of JPA with a dialect that hides its connection. */
    static final String JPA = "jpa";

    /**
     * A manager that says nothing of its resource: of Neo4j, of a batch without a database, of the application's own.
     */
    static final String OWN = "own";

    /** A manager of Kafka, RabbitMQ or JMS: its transactions have no callbacks. */
    static final String BROKER = "broker";

    /** A manager of the data source whose transactions have no callbacks. */
    static final String SILENT = "silent";

    static void run(Consumer<TwoManagers> test) {
        try (FreshDatabase database = FreshDatabase.h2()) {
            Applications.on(database, false)
                    .withUserConfiguration(Managers.class)
                    .run(context -> test.accept(new TwoManagers(context)));
        }
    }

    TransactionTemplate database() {
        return of("database");
    }

    TransactionTemplate of(String manager) {
        return new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class));
    }

    void touch() {
        context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM orders");
    }

    void schedule(String id) {
        timers().schedule(Applications.timer(id, "x"));
    }

    void schedule(Timer timer) {
        timers().schedule(timer);
    }

    void cancel(String id) {
        timers().cancel(TimerKey.of(id));
    }

    private Timers timers() {
        return context.getBean(Timers.class);
    }

    List<String> stored() {
        return context.getBean(JdbcTemplate.class)
                .queryForList("SELECT timer_id FROM timer_schedules WHERE state = 'SCHEDULED'", String.class);
    }

    static void on(String phase, Runnable work) {
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

    @Configuration(proxyBeanMethods = false)
    static class Managers {
        @Bean
        @Primary
        PlatformTransactionManager database(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager jpa() {
            return new NamedTransactions();
        }

        @Bean
        PlatformTransactionManager own() {
            return new OtherTransactions();
        }

        @Bean
        PlatformTransactionManager broker() {
            return withoutCallbacks(new NamedTransactions());
        }

        @Bean
        PlatformTransactionManager silent(DataSource dataSource) {
            return withoutCallbacks(new JdbcTransactionManager(dataSource));
        }

        private static PlatformTransactionManager withoutCallbacks(AbstractPlatformTransactionManager manager) {
            manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            return manager;
        }
    }

    /** Transactions of something else than a database, which bind a resource to the thread. */
    static class OtherTransactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        static final class Session extends ResourceHolderSupport {}

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return TransactionSynchronizationManager.hasResource(this);
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            TransactionSynchronizationManager.bindResource(this, new Session());
        }

        @Override
        protected Object doSuspend(Object transaction) {
            return TransactionSynchronizationManager.unbindResource(this);
        }

        @Override
        protected void doResume(@Nullable Object transaction, Object suspended) {
            TransactionSynchronizationManager.bindResource(this, suspended);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            TransactionSynchronizationManager.unbindResource(this);
        }
    }

    /** The same, of a manager that names its resource. */
    static final class NamedTransactions extends OtherTransactions implements ResourceTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        public Object getResourceFactory() {
            return this;
        }
    }
}
