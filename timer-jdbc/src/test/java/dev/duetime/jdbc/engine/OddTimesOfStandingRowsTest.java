package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a timer is rescheduled whatever times other programs have written into its row. */
class OddTimesOfStandingRowsTest {
    private static final TimerKey KEY = TimerKey.of("odd");
    private static final Duration HOUR = Duration.ofHours(1);

    @ParameterizedTest
    @EnumSource
    void aTimerReplacesOneWithAnAbsurdTime(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .notStarted()
                        .build()) {
            kit.scheduler().schedule(Timer.after(KEY, HOUR).validFor(HOUR).build());
            JdbcPart.execute(pool, "UPDATE timer_schedules SET due_at = -9223372036854775808, expires_at = 5");

            assertThat(kit.scheduler()
                            .schedule(Timer.after(KEY, HOUR).validFor(HOUR).build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.RESCHEDULED);
            assertThat(kit.store().find(KEY).orElseThrow().dueAt())
                    .isEqualTo(kit.now().plus(HOUR));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRecurringTimerReplacesOneWithAnAbsurdTime(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .notStarted()
                        .build()) {
            kit.scheduler().schedule(hourly("x"));
            JdbcPart.execute(pool, "UPDATE timer_schedules SET due_at = 9223372036854775807, expires_at = -2");

            assertThat(kit.scheduler().schedule(hourly("y")).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        }
    }

    private static Timer hourly(String type) {
        return Timer.recurring(KEY, Recurrence.every(HOUR))
                .type(type)
                .validFor(HOUR)
                .build();
    }
}
