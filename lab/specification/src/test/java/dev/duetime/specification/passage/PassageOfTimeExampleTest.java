package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Timer;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code that docs/passage-of-time.md shows. */
class PassageOfTimeExampleTest {
    private final List<String> told = new ArrayList<>();
    private final Orders orders = now -> told.add("overdue " + now);
    private final Reports reports = date -> told.add("report of " + date);
    private final InMemoryPublisher broker = new InMemoryPublisher();

    private interface Orders {
        void cancelOverdue(Instant now);
    }

    private interface Reports {
        void write(LocalDate date);
    }

    private PassageOfTime passageOfTime(Publisher publisher) {
        PassageOfTime time = PassageOfTime.builder()
                .zone(ZoneId.of("Europe/Berlin"))
                .on(MinuteHasPassed.class, "overdue-orders", minute -> orders.cancelOverdue(minute.now()))
                .on(DayHasPassed.class, "reports", CatchUp.ALL, day -> reports.write(day.date()))
                .publish("ticks", publisher, HourHasPassed.class, DayHasPassed.class)
                .build();
        return time;
    }

    @Test
    void aDayPassesInVirtualTime() {
        PassageOfTime time = passageOfTime(broker);
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(time))
                .build()) {
            kit.advance(Duration.ofHours(24));
        }
        assertThat(told).hasSize(24 * 60 + 1).contains("report of 2030-01-01");
        assertThat(broker.delivered()).hasSize(25);
    }

    @Test
    void aSlowHandlerHasItsOwnQueue() {
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "overdue-orders", minute -> orders.cancelOverdue(minute.now()))
                .build();
        PassageOfTime reporting = PassageOfTime.builder()
                .queue("reporting")
                .on(DayHasPassed.class, "reports", day -> reports.write(day.date()))
                .build();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(time).extension(reporting))
                .build()) {
            kit.advance(Duration.ofHours(24));
        }
        assertThat(told).hasSize(24 * 60 + 1).contains("report of 2030-01-01");
    }

    @Test
    void aRecurringTimerMayHaveAnyKey() {
        try (TimerKit kit = TimerKit.builder()
                .configure(builder -> builder.pollInterval(Duration.ofHours(1)).leaseDuration(Duration.ofHours(1)))
                .build()) {
            var scheduler = kit.scheduler();
            scheduler.schedule(
                    Timer.recurring("clean-up", Recurrence.each(CalendarUnit.WEEK, ZoneId.of("Europe/Berlin")))
                            .validFor(Duration.ofHours(2))
                            .build());
            kit.advance(Duration.ofDays(14));
            assertThat(kit.delivered("clean-up")).hasSize(2);
        }
    }
}
