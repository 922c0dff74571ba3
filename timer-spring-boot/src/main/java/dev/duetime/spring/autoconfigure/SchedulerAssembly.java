package dev.duetime.spring.autoconfigure;

import dev.duetime.Clock;
import dev.duetime.JacksonCodec;
import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.Timer;
import dev.duetime.listener.TimerListener;
import dev.duetime.spring.SchedulerCustomizer;
import dev.duetime.spring.TimerEvents;
import dev.duetime.spring.TimerHandler;
import dev.duetime.spring.internal.handler.EventPublisher;
import dev.duetime.spring.internal.handler.HandlerBeans;
import dev.duetime.spring.internal.handler.HandlerMethods;
import dev.duetime.spring.internal.handler.TodoMethods;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.spring.internal.properties.PropertySettings;
import dev.duetime.spring.internal.transaction.CallersTransaction;
import dev.duetime.spring.properties.DuetimeProperties;
import dev.duetime.store.TimerStore;
import dev.duetime.todo.TodoQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** The scheduler as beans and properties set it up. */
final class SchedulerAssembly {
    private static final int VIRTUAL_THREADS_SINCE = 21;

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final DuetimeProperties properties;
    private final ApplicationEventPublisher events;

    SchedulerAssembly(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            DuetimeProperties properties,
            ApplicationEventPublisher events) {
        this.beans = beans;
        this.environment = environment;
        this.properties = properties;
        this.events = events;
    }

    /** Returns the scheduler. Customizers have the last word. */
    Scheduler build(TimerStore store) {
        SchedulerBuilder builder = Scheduler.builder().store(store).callersTransaction(new CallersTransaction(store));
        PropertySettings.checkUnits(environment, properties);
        PropertySettings.apply(properties, builder);
        if (usesVirtualThreads()) {
            useVirtualThreads(builder);
        }
        Publisher publisher = publisher();
        if (publisher != null) {
            builder.publisher(publisher);
        }
        handle(publisher, builder);
        builder.listener(new TimerEvents(events));
        all(TimerListener.class).orderedStream().forEach(builder::listener);
        all(Clock.class).ifAvailable(builder::clock);
        PayloadCodec codec = codec();
        if (codec != null) {
            builder.codec(codec);
        }
        all(Propagation.class).ifAvailable(builder::propagation);
        all(TodoQueue.class).orderedStream().forEach(builder::todoQueue);
        all(TodoMethods.class).ifAvailable(TodoMethods::checkUsed);
        all(SchedulerExtension.class).orderedStream().forEach(builder::extension);
        PropertySettings.applyQueues(properties, builder);
        all(SchedulerCustomizer.class).orderedStream().forEach(each -> each.customize(builder));
        return builder.build();
    }

    private <T> ObjectProvider<T> all(Class<T> type) {
        return beans.getBeanProvider(type);
    }

    /** Returns whether to use virtual threads: as for Duetime, else as for the whole application where it can. */
    private boolean usesVirtualThreads() {
        Boolean own = properties.virtualThreads();
        return own != null
                ? own
                : environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                        && Runtime.version().feature() >= VIRTUAL_THREADS_SINCE;
    }

    private static void useVirtualThreads(SchedulerBuilder builder) {
        try {
            builder.virtualThreads();
        } catch (IllegalStateException e) {
            throw new StartRefusedException(
                    "duetime.virtual-threads is true",
                    "run on Java 21 or later, or set duetime.virtual-threads=false",
                    e);
        }
    }

    private @Nullable Publisher publisher() {
        Publisher bean = all(Publisher.class).getIfAvailable();
        if (!properties.publishEvents()) {
            return bean;
        }
        if (bean != null) {
            throw new StartRefusedException(
                    "duetime.publish-events must be false if there is a Publisher, but is true beside "
                            + bean.getClass().getName());
        }
        return new EventPublisher(events);
    }

    private void handle(@Nullable Publisher publisher, SchedulerBuilder builder) {
        HandlerBeans handlers = new HandlerBeans();
        all(TimerHandler.class).orderedStream().forEach(handlers::add);
        new HandlerMethods(beans).addTo(handlers);
        List<String> ofDefault = handlers.names(Timer.DEFAULT_QUEUE);
        if (publisher != null && !ofDefault.isEmpty()) {
            throw new StartRefusedException(
                    "queue %s must have a Publisher or handlers but has both, %s and %s"
                            .formatted(Timer.DEFAULT_QUEUE, publisher.getClass().getName(), ofDefault),
                    "give the handlers another queue()");
        }
        handlers.all().forEach(builder::extension);
    }

    /** Returns the codec of the application, else one with its mapper. */
    private @Nullable PayloadCodec codec() {
        PayloadCodec codec = all(PayloadCodec.class).getIfAvailable();
        if (codec != null) {
            return codec;
        }
        JsonMapper mapper = all(JsonMapper.class).getIfUnique();
        return mapper == null ? null : new JacksonCodec(mapper);
    }
}
