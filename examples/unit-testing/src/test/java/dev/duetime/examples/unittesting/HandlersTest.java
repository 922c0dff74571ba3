package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code that docs/handlers.md shows. */
class HandlersTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final List<String> called = new ArrayList<>();
    private final Program orders = new Program();
    private final Program mails = orders;
    private final Program prices = orders;
    private final Program reports = orders;

    record PaymentTimeout(String orderId) {}

    record Reminder(String to) {}

    @Test
    void handlersGetTheTimersOfTheirTypeAndRecurByThemselves() {
        try (TimerKit kit = TimerKit.builder().notStarted().build()) {
            ScheduleStore store = kit.store();
            TestClock clock = kit.clock();
            Scheduler built = scheduler(store);
            Scheduler scheduler = Scheduler.builder()
                    .store(store)
                    .clock(clock)
                    .extension(handlers())
                    .build();
            built.close();
            scheduler.start();
            scheduler.schedule(Timer.after(TimerKey.of("acme", "order-17"), Duration.ofMinutes(15))
                    .type("payment-timeout")
                    .payload(new PaymentTimeout("order-17"))
                    .build());
            scheduler.schedule(Timer.after("r", Duration.ofMinutes(16))
                    .type("reminder")
                    .payload(new Reminder("a@example.org"))
                    .build());
            scheduler.schedule(
                    Timer.after("p", Duration.ofMinutes(17)).type("refresh").build());

            clock.advance(Duration.ofDays(1));

            assertThat(called).containsExactly("cancel order-17", "remind a@example.org", "refresh", "send");
            scheduler.close();
        }
    }

    private Handlers handlers() {
        Handlers handlers = Handlers.builder()
                .on("payment-timeout", PaymentTimeout.class, timeout -> orders.cancelUnpaid(timeout.orderId()))
                .on("reminder", Reminder.class, (reminder, envelope) -> mails.remind(reminder.to(), envelope.id()))
                .on("refresh", envelope -> prices.refresh())
                .recurring("reports", Recurrence.daily(LocalTime.of(8, 0), BERLIN), due -> reports.send())
                .recurring("clean-up", Recurrence.cron("0 3 * * SUN", BERLIN), due -> orders.cleanUp())
                .build();
        return handlers;
    }

    private Scheduler scheduler(ScheduleStore store) {
        Handlers handlers = handlers();
        Scheduler scheduler =
                Scheduler.builder().store(store).extension(handlers).build();
        return scheduler;
    }

    private final class Program {
        void cancelUnpaid(String orderId) {
            called.add("cancel " + orderId);
        }

        void remind(String to, String id) {
            assertThat(id).isNotEmpty();
            called.add("remind " + to);
        }

        void refresh() {
            called.add("refresh");
        }

        void send() {
            called.add("send");
        }

        void cleanUp() {
            called.add("clean up");
        }
    }
}
