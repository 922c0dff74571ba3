package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Tests of events of the application for timers that expire without being read. */
class TimerEventsTest {
    private static final String LOG_OF_EACH = "dev.duetime.engine.report.TimerLog";
    private static final int MANY = 100;
    private static final Duration SECOND = Duration.ofSeconds(1);

    static final class Expiries {
        private final List<TimerEvents.Expired> each = new ArrayList<>();
        private final List<TimerEvents.ExpiredInBulk> unread = new ArrayList<>();

        @EventListener
        void on(TimerEvents.Expired event) {
            each.add(event);
        }

        @EventListener
        void on(TimerEvents.ExpiredInBulk event) {
            unread.add(event);
        }
    }

    /** H2 reads each timer that expires. */
    @Configuration(proxyBeanMethods = false)
    static class InMemory {
        @Bean
        ScheduleStore store(TestClock clock) {
            return new InMemoryScheduleStore(clock);
        }
    }

    private final LoggingSystem logs = LoggingSystem.get(getClass().getClassLoader());

    /** A log of each timer would read each. */
    @BeforeEach
    void logNoLineOfEach() {
        logs.setLogLevel(LOG_OF_EACH, LogLevel.INFO);
    }

    @AfterEach
    void logAsBefore() {
        logs.setLogLevel(LOG_OF_EACH, null);
    }

    @Test
    void timersOfABacklogThatExpireAreCounted() {
        Expiries expiries = new Expiries();
        Applications.runner()
                .withBean(Publisher.class, InMemoryPublisher::new)
                .withBean(Expiries.class, () -> expiries)
                .withUserConfiguration(InMemory.class)
                .withPropertyValues("duetime.batch-size=2")
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    scheduler.admin().pause("default");
                    context.getBean(Timers.class)
                            .scheduleAll(IntStream.range(0, MANY)
                                    .mapToObj(i -> Timer.after("t" + i, Duration.ofMillis(i))
                                            .type("reminder")
                                            .validFor(SECOND)
                                            .build())
                                    .toList());
                    context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
                    scheduler.admin().resume("default");
                    context.getBean(TestClock.class).advance(Duration.ofMinutes(1));

                    assertThat(expiries.unread)
                            .isNotEmpty()
                            .allSatisfy(event -> assertThat(event.queue() + " " + event.type())
                                    .isEqualTo("default reminder"));
                    int unread = expiries.unread.stream()
                            .mapToInt(TimerEvents.ExpiredInBulk::count)
                            .sum();
                    assertThat(expiries.each.size() + unread).isEqualTo(MANY);
                });
    }
}
