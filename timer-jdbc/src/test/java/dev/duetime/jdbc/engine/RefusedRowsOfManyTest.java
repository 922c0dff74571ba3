package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.store.RefusedException;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a row which the database refuses stops no other row, where the engine writes many rows at once. */
@Timeout(120)
class RefusedRowsOfManyTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder()
                .store(JdbcScheduleStore.of(pool))
                .configure(scheduler -> scheduler.retention(HOUR))
                .build();
    }

    private static boolean exists(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).isPresent();
    }

    private static TimerState state(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private static void scheduleThree(TimerKit kit, Duration delay) {
        for (String timerId : List.of("a", "refused", "z")) {
            kit.scheduler().schedule(Timer.after(timerId, delay).build());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedTickStopsNoOther(Database kind) {
        List<Instant> minutes = new ArrayList<>();
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "good", minute -> minutes.add(minute.now()))
                .on(HourHasPassed.class, "bad", hour -> {})
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            try (TimerKit empty = TimerKit.builder()
                    .store(store)
                    .configure(scheduler -> scheduler.extension(time))
                    .build()) {
                empty.advance(Duration.ofSeconds(1));
            }
            String bad = store.query(TimerQuery.all()).stream()
                    .map(timer -> timer.key().timerId())
                    .filter(id -> id.contains("bad"))
                    .findFirst()
                    .orElseThrow();
            JdbcPart.execute(pool, "DELETE FROM timer_schedules");
            JdbcPart.execute(pool, kind.refusingToStore(bad));
            try (TimerKit kit = TimerKit.builder()
                    .store(store)
                    .configure(scheduler -> scheduler.extension(time))
                    .build()) {
                kit.advance(Duration.ofMinutes(3));

                assertThat(minutes).isNotEmpty();
                assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimerThatCannotBeDeletedDoesNotStopThePurge(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            scheduleThree(kit, Duration.ZERO);
            kit.advance(Duration.ofSeconds(1));
            JdbcPart.execute(pool, kind.refusingToDelete("refused"));

            kit.advance(HOUR.plus(Duration.ofMinutes(5)));

            assertThat(exists(kit, "a")).isFalse();
            assertThat(exists(kit, "z")).isFalse();
            assertThat(exists(kit, "refused")).isTrue();
            assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedCancellationStopsNoOtherOfAnOperator(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            scheduleThree(kit, HOUR);
            JdbcPart.execute(pool, kind.refusingToEnd("refused"));

            assertThatThrownBy(() ->
                            kit.scheduler().admin().cancel(TimerQuery.all().queue(Timer.DEFAULT_QUEUE)))
                    .isInstanceOf(RefusedException.class);

            assertThat(state(kit, "a")).isEqualTo(TimerState.CANCELLED);
            assertThat(state(kit, "z")).isEqualTo(TimerState.CANCELLED);
            assertThat(state(kit, "refused")).isEqualTo(TimerState.SCHEDULED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedDeletionStopsNoOtherOfAnOperator(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            scheduleThree(kit, Duration.ZERO);
            kit.advance(Duration.ofSeconds(1));
            JdbcPart.execute(pool, kind.refusingToDelete("refused"));
            Instant now = kit.now().plusSeconds(1);

            assertThatThrownBy(
                            () -> kit.scheduler().admin().purge(TimerQuery.all().queue(Timer.DEFAULT_QUEUE), now))
                    .isInstanceOf(RefusedException.class);

            assertThat(exists(kit, "a")).isFalse();
            assertThat(exists(kit, "z")).isFalse();
        }
    }
}
