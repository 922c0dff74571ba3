package dev.duetime.examples.micronaut;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.handlers.Handlers;
import dev.duetime.jdbc.JdbcScheduleStore;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;

/** The beans of the timers. Micronaut closes the scheduler before the pool, because the scheduler depends on it. */
@Factory
final class Timing {

    @Bean(preDestroy = "close")
    @Singleton
    HikariDataSource dataSource(@Value("${orders.database}") String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    /** The orders are looked up when the first timer comes. So they can have the scheduler injected. */
    @Singleton
    Handlers handlers(BeanProvider<Orders> orders) {
        return Handlers.builder()
                .on(
                        PaymentTimeout.TYPE,
                        PaymentTimeout.class,
                        timeout -> orders.get().cancelUnpaid(timeout.orderId()))
                .build();
    }

    /** A test gives a clock of its own. */
    @Bean(preDestroy = "close")
    @Singleton
    Scheduler scheduler(HikariDataSource dataSource, Handlers handlers, BeanProvider<Clock> clock) {
        SchedulerBuilder builder =
                Scheduler.builder().store(JdbcScheduleStore.of(dataSource)).extension(handlers);
        clock.ifPresent(builder::clock);
        return builder.build();
    }

    /** Delivers from now on. A node that only schedules leaves this out. */
    @Singleton
    static final class Start {
        private final Scheduler scheduler;

        Start(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @EventListener
        void onStartup(StartupEvent event) {
            scheduler.start();
        }
    }
}
