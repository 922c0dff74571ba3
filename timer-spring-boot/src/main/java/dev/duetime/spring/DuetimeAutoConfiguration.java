package dev.duetime.spring;

import dev.duetime.Clock;
import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.Timer;
import dev.duetime.TimerListener;
import dev.duetime.Timers;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.ScheduleStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Sets up a {@link Scheduler} on the application's data source, unless there is one: started last and stopped first.
 *
 * <p>Takes these beans, where they are: a {@link Publisher} for the queue {@value Timer#DEFAULT_QUEUE}, each {@link
 * TimerHandler}, {@link TimerListener}, {@link SchedulerExtension} and {@link SchedulerCustomizer}; a {@link Clock}, a
 * {@link PayloadCodec} and a {@link Propagation}. Gives {@link Timers}, which join the transaction that Spring manages, if
 * there is one. Properties are below {@code duetime}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "duetime.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(Scheduler.class)
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeAutoConfiguration {

    /** Opens the store once the application's own migrations are through. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    ScheduleStore duetimeStore(DataSource dataSource, DuetimeProperties properties) {
        return JdbcScheduleStore.builder(pool(dataSource))
                .migrate(properties.migrate())
                .build();
    }

    /** The store commits what it writes, so it must not get what hands out the connections of transactions. */
    private static DataSource pool(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target;
    }

    @Bean(destroyMethod = "close")
    Scheduler duetimeScheduler(
            ScheduleStore store,
            DuetimeProperties properties,
            ObjectProvider<Publisher> publisher,
            ObjectProvider<TimerHandler> handlers,
            ObjectProvider<TimerListener> listeners,
            ObjectProvider<SchedulerExtension> extensions,
            ObjectProvider<Clock> clock,
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<Propagation> propagation,
            ObjectProvider<SchedulerCustomizer> customizers) {
        SchedulerBuilder builder = Scheduler.builder().store(store);
        PropertySettings.apply(properties, builder);
        publisher.ifAvailable(builder::publisher);
        deliver(handlers.orderedStream().toList(), publisher.getIfAvailable(), builder);
        listeners.orderedStream().forEach(builder::listener);
        clock.ifAvailable(builder::clock);
        codec.ifAvailable(builder::codec);
        propagation.ifAvailable(builder::propagation);
        extensions.orderedStream().forEach(builder::extension);
        customizers.orderedStream().forEach(each -> each.customize(builder));
        return builder.build();
    }

    private static void deliver(List<TimerHandler> handlers, @Nullable Publisher publisher, SchedulerBuilder builder) {
        Map<String, List<TimerHandler>> byQueue = handlers.stream()
                .collect(Collectors.groupingBy(TimerHandler::queue, TreeMap::new, Collectors.toList()));
        byQueue.forEach((name, all) -> {
            if (publisher != null && name.equals(Timer.DEFAULT_QUEUE)) {
                throw new IllegalStateException(
                        "queue %s must have a Publisher or handlers but has both, %s and %s: give the handlers another queue()"
                                .formatted(
                                        name,
                                        publisher.getClass().getName(),
                                        all.stream()
                                                .map(each -> each.getClass().getName())
                                                .toList()));
            }
            builder.queue(name, queue -> queue.publisher(new HandlerPublisher(name, all)));
        });
    }

    @Bean
    SchedulerLifecycle duetimeLifecycle(Scheduler scheduler, DuetimeProperties properties) {
        return new SchedulerLifecycle(scheduler, properties.autoStartup());
    }

    /** Is what to inject where something is scheduled; without a cycle, also in handlers. */
    @Bean
    @Primary
    Timers duetimeTimers(ObjectProvider<Scheduler> scheduler, DataSource dataSource) {
        return new TransactionAwareTimers(scheduler::getObject, pool(dataSource));
    }
}
