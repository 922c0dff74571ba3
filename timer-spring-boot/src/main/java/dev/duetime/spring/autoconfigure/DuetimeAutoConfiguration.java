package dev.duetime.spring.autoconfigure;

import dev.duetime.Clock;
import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerExtension;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.listener.TimerListener;
import dev.duetime.spring.DuetimeDataSource;
import dev.duetime.spring.OnSchedule;
import dev.duetime.spring.OnTimer;
import dev.duetime.spring.OnTodo;
import dev.duetime.spring.SchedulerCustomizer;
import dev.duetime.spring.TimerHandler;
import dev.duetime.spring.internal.host.HostCheck;
import dev.duetime.spring.internal.transaction.TransactionAwareTimers;
import dev.duetime.spring.internal.transaction.TransactionWatch;
import dev.duetime.spring.properties.DuetimeProperties;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.todo.TodoQueue;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * The auto-configuration of a {@link Scheduler} on the application's data source, unless the application has its own.
 * It is started last and stopped first.
 *
 * <p>It uses these beans, if there are any: a {@link Publisher} for the queue {@value Timer#DEFAULT_QUEUE}, each {@link
 * TimerHandler}, methods with {@link OnTimer} or {@link OnSchedule}, each {@link TimerListener}, {@link TodoQueue}
 * (made of methods with {@link OnTodo}, if you like), {@link SchedulerExtension} and {@link SchedulerCustomizer}; a
 * {@link Clock}, a {@link PayloadCodec} and a {@link Propagation}. It provides {@link Timers}. These, todo queues and
 * to-do lists join the transaction that Spring manages, if there is one. Its properties begin with {@code duetime}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration"
        })
@Conditional(EnabledOrNot.class)
@ConditionalOnBooleanProperty(name = "duetime.enabled", matchIfMissing = true)
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(Scheduler.class)
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeAutoConfiguration {

    /** Returns the watch of transactions. It is created before the first transaction begins. */
    @Bean
    static TransactionWatch duetimeTransactionWatch(ListableBeanFactory beans) {
        return new TransactionWatch(beans);
    }

    /** Opens the store after the application's own migrations. */
    @Bean
    @ConditionalOnMissingBean(TimerStore.class)
    @DependsOnDatabaseInitialization
    ScheduleStore duetimeStore(
            ListableBeanFactory beans,
            Environment environment,
            DuetimeProperties properties,
            @DuetimeDataSource ObjectProvider<DataSource> chosen) {
        HostCheck.jackson();
        return new StoreOpening(beans, environment, chosen).open(properties);
    }

    @Bean(destroyMethod = "close")
    Scheduler duetimeScheduler(
            TimerStore store,
            DuetimeProperties properties,
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ApplicationEventPublisher events) {
        HostCheck.jackson();
        return new SchedulerAssembly(beans, environment, properties, events).build(store);
    }

    /** In virtual time nothing is delivered by itself, so nothing keeps the process alive. */
    @Bean
    SchedulerLifecycle duetimeLifecycle(
            Scheduler scheduler, DuetimeProperties properties, ObjectProvider<Clock> clock) {
        boolean keepAlive = properties.keepAlive() && clock.stream().findAny().isEmpty();
        return new SchedulerLifecycle(scheduler, properties.autoStartup(), keepAlive);
    }

    /** Returns the bean to inject into code that schedules. Handlers can have it injected, too, without a cycle. */
    @Bean
    @Primary
    Timers duetimeTimers(ObjectProvider<Scheduler> scheduler) {
        return new TransactionAwareTimers(scheduler::getObject);
    }
}
