package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.transaction.TestTransaction;

/** Duetime is part of the slice of a test of the data layer, whose transactions are rolled back. */
@JdbcTest
class JdbcSliceTest {
    @TestConfiguration
    static class VirtualTime {
        @Bean
        TestClock testClock() {
            return new TestClock();
        }
    }

    @Autowired
    private Timers timers;

    @Test
    void aTimerOfATestIsRolledBackWithIt() {
        TimerKey key = TimerKey.of("a");
        assertThat(timers.schedule(Timer.after(key, Duration.ofHours(1)).build())
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        assertThat(timers.find(key)).isPresent();

        TestTransaction.end();

        assertThat(timers.find(key)).isEmpty();
    }
}
