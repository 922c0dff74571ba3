package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.PayloadException;
import dev.duetime.RetryPolicy;
import dev.duetime.SchedulerBuilder;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.UnknownTypeException;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemindersTest {
    private final Reminders reminders = new Reminders();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(reminders))
            .configure(RemindersTest::configure)
            .build();
    private final Instant soon = kit.now().plus(Duration.ofMinutes(10));

    private static void configure(SchedulerBuilder scheduler) {
        scheduler
                .validFor(Duration.ofDays(7))
                .type(
                        "appointment-reminder",
                        type -> type.validFor(Duration.ofMinutes(30))
                                .retry(RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                                        .maxAttempts(20)
                                        .noRetryOn(
                                                PayloadException.class,
                                                UnknownTypeException.class,
                                                IllegalArgumentException.class)));
    }

    @BeforeEach
    void wire() {
        reminders.use(kit.scheduler());
        kit.publisher().onEach(reminders::on);
    }

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void aReminderIsSentAtItsTime() {
        reminders.remind("dentist", soon);

        kit.advanceTo(soon);

        assertThat(reminders.sent("dentist")).hasValue(Reminders.REMINDER);
    }

    @Test
    void aReminderIsSentAfterAShortOutage() {
        reminders.remind("dentist", soon);
        kit.publisher().failAlways();
        kit.advanceTo(soon.plus(Duration.ofMinutes(29)));

        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));

        assertThat(reminders.sent("dentist")).hasValue(Reminders.REMINDER);
    }

    @Test
    void anApologyIsSentInsteadAfterALongOutage() {
        reminders.remind("dentist", soon);
        kit.publisher().failAlways();
        kit.advanceTo(soon.plus(Duration.ofHours(2)));
        assertThat(kit.scheduler()
                        .find(TimerKey.of("remind-dentist"))
                        .orElseThrow()
                        .state())
                .isEqualTo(TimerState.EXPIRED);

        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));

        assertThat(reminders.sent("dentist")).hasValue(Reminders.APOLOGY);
        assertThat(kit.delivered()).hasSize(1);
    }

    @Test
    void anApologyIsSentAtOnceForAnAppointmentThatIsOver() {
        reminders.remind("dentist", kit.now().minus(Duration.ofHours(1)));

        kit.runDue();

        assertThat(reminders.sent("dentist")).hasValue(Reminders.APOLOGY);
    }
}
