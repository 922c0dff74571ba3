package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The code that docs/publishers.md shows about queues. */
class QueuesTest {
    record Ship(String orderId) {}

    @Test
    void eachQueueHasItsPublisherAndItsTimersAreStored() {
        try (TimerKit kit = TimerKit.builder().notStarted().build()) {
            ScheduleStore store = kit.store();
            Publisher events = new InMemoryPublisher();
            Publisher mailServer = new InMemoryPublisher();
            Scheduler scheduler = Scheduler.builder()
                    .store(store)
                    .publisher(events)
                    .queue("mails", mails -> mails.publisher(mailServer).batchSize(50))
                    .build();
            scheduler.schedule(Timer.after("welcome-17", Duration.ofMinutes(5))
                    .queue("mails")
                    .build());

            assertThat(scheduler
                            .find(TimerKey.of("welcome-17"))
                            .orElseThrow()
                            .content()
                            .queue())
                    .isEqualTo("mails");
        }
    }

    @Test
    void aNodeWithoutPublishersOnlySchedules() {
        try (TimerKit kit = TimerKit.builder().notStarted().build()) {
            ScheduleStore store = kit.store();
            TodoQueue shipping = TodoQueue.builder("shipping")
                    .type("ship", Ship.class, (todo, run) -> Outcome.complete())
                    .mode(TodoMode.PARALLEL_BY_KEY)
                    .enqueuesOnly()
                    .build();
            Scheduler web = Scheduler.builder()
                    .store(store)
                    .queue("mails", mails -> {})
                    .todoQueue(shipping)
                    .build();
            web.start();

            web.schedule(Timer.after("m", Duration.ofMinutes(5)).queue("mails").build());
            shipping.enqueue(NewTodo.of("ship", new Ship("17")));

            assertThat(web.admin().health().queues()).isEmpty();
            web.close();
        }
    }

    @Test
    void aQueueHasLimitsForTheWholeCluster() {
        InMemoryPublisher mailer = new InMemoryPublisher();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> {
                    scheduler.queue(
                            "mail",
                            queue -> queue.publisher(mailer)
                                    .concurrencyLimit(20)
                                    .rateLimit(RateLimit.perSecond(50).burst(100))
                                    .type("newsletter", type -> type.rateLimit(RateLimit.perMinute(600))));
                })
                .build()) {
            for (int i = 0; i < 300; i++) {
                kit.scheduler()
                        .schedule(Timer.after("mail-" + i, Duration.ofMinutes(1))
                                .queue("mail")
                                .type("welcome")
                                .build());
            }

            kit.advance(Duration.ofSeconds(61));
            assertThat(mailer.delivered()).hasSizeBetween(100, 150);
            kit.advance(Duration.ofMinutes(1));
            assertThat(mailer.delivered()).hasSize(300);
        }
    }
}
