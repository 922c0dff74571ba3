package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An envelope carries the deadline of its timer, so that consumers can carry it on. */
class CarriedDeadlineTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimerKit kit = TimerKit.create();

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void aDeadlineComesWithItsTimerAndNoneWithoutOne() {
        kit.scheduler()
                .schedule(
                        Timer.after("a", MINUTE).validFor(Duration.ofSeconds(5)).build());
        kit.scheduler().schedule(Timer.after("b", MINUTE).build());

        kit.advance(MINUTE);

        assertThat(kit.delivered("a").get(0).expiresAt())
                .isEqualTo(TestClock.START.plus(MINUTE).plusSeconds(5));
        assertThat(kit.delivered("b").get(0).expiresAt()).isNull();
    }

    @Test
    void eachOccurrenceHasItsOwnDeadline() {
        kit.scheduler()
                .schedule(Timer.recurring("a", Recurrence.every(MINUTE))
                        .validFor(Duration.ofSeconds(5))
                        .build());

        kit.advance(MINUTE.multipliedBy(2));

        assertThat(kit.delivered("a"))
                .extracting(each -> each.expiresAt())
                .containsExactly(
                        TestClock.START.plus(MINUTE).plusSeconds(5),
                        TestClock.START.plus(MINUTE.multipliedBy(2)).plusSeconds(5));
    }
}
