package dev.duetime.spring;

import dev.duetime.Clock;
import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.listener.TimerListener;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.todo.TodoQueue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * The auto-configuration of a {@link Scheduler} on the application's data source, unless the application has its own.
 * It is started last and stopped first.
 *
 * <p>It uses these beans, if there are any: a {@link Publisher} for the queue {@value Timer#DEFAULT_QUEUE}, each {@link
 * TimerHandler}, {@link TimerListener}, {@link TodoQueue}, {@link SchedulerExtension} and {@link SchedulerCustomizer};
 * a {@link Clock}, a {@link PayloadCodec} and a {@link Propagation}. It provides {@link Timers}. These, todo queues and
 * to-do lists join the transaction that Spring manages, if there is one. Its properties begin with {@code duetime}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"
        })
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
    ScheduleStore duetimeStore(ListableBeanFactory beans, Environment environment, DuetimeProperties properties) {
        return new StoreOpening(beans, environment).open(properties.migrate());
    }

    @Bean
    ClosingFlag duetimeClosing() {
        return new ClosingFlag();
    }

    @Bean(destroyMethod = "close")
    Scheduler duetimeScheduler(
            TimerStore store,
            DuetimeProperties properties,
            Environment environment,
            ClosingFlag closing,
            ObjectProvider<Publisher> publisher,
            ObjectProvider<TimerHandler> handlers,
            ObjectProvider<TimerListener> listeners,
            ObjectProvider<TodoQueue> todoQueues,
            ObjectProvider<SchedulerExtension> extensions,
            ObjectProvider<Clock> clock,
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<Propagation> propagation,
            ObjectProvider<SchedulerCustomizer> customizers) {
        SchedulerBuilder builder = Scheduler.builder().store(store).callersTransaction(new CallersTransaction(store));
        PropertySettings.checkUnits(environment);
        PropertySettings.apply(properties, builder);
        publisher.ifAvailable(builder::publisher);
        deliver(handlers.orderedStream().toList(), publisher.getIfAvailable(), closing, builder);
        listeners.orderedStream().forEach(builder::listener);
        clock.ifAvailable(builder::clock);
        codec.ifAvailable(builder::codec);
        propagation.ifAvailable(builder::propagation);
        todoQueues.orderedStream().forEach(builder::todoQueue);
        extensions.orderedStream().forEach(builder::extension);
        customizers.orderedStream().forEach(each -> each.customize(builder));
        return build(builder, properties);
    }

    private static Scheduler build(SchedulerBuilder builder, DuetimeProperties properties) {
        try {
            return builder.build();
        } catch (StoreException e) {
            if (properties.migrate()) {
                throw e;
            }
            throw new IllegalStateException(
                    "tables of timers must exist if duetime.migrate is false but could not be used: run the files"
                            + " below " + StoreOpening.MIGRATIONS + ", or set duetime.migrate=true",
                    e);
        }
    }

    private static void deliver(
            List<TimerHandler> handlers, @Nullable Publisher publisher, ClosingFlag closing, SchedulerBuilder builder) {
        Map<String, List<TimerHandler>> byQueue = handlers.stream()
                .collect(Collectors.groupingBy(TimerHandler::queue, TreeMap::new, Collectors.toList()));
        byQueue.forEach((name, all) -> {
            if (publisher != null && name.equals(Timer.DEFAULT_QUEUE)) {
                throw new IllegalStateException(("queue %s must have a Publisher or handlers but has both, %s and %s:"
                                + " give the handlers another queue()")
                        .formatted(
                                name,
                                publisher.getClass().getName(),
                                all.stream()
                                        .map(each -> each.getClass().getName())
                                        .toList()));
            }
            builder.queue(name, queue -> queue.publisher(new HandlerPublisher(name, all, closing)));
        });
    }

    @Bean
    SchedulerLifecycle duetimeLifecycle(Scheduler scheduler, ClosingFlag closing, DuetimeProperties properties) {
        return new SchedulerLifecycle(scheduler, closing, properties.autoStartup());
    }

    /** Returns the bean to inject into code that schedules. Handlers can have it injected, too, without a cycle. */
    @Bean
    @Primary
    Timers duetimeTimers(ObjectProvider<Scheduler> scheduler) {
        return new TransactionAwareTimers(scheduler::getObject);
    }
}
