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
import dev.duetime.store.RefusedException;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a timer which the database refuses to change stops no other one of an operator's call. */
class RefusedBulkTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
    }

    private static boolean exists(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).isPresent();
    }

    private static TimerState state(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private static void schedule(TimerKit kit, Duration delay) {
        for (String timerId : List.of("a", "refused", "z")) {
            kit.scheduler().schedule(Timer.after(timerId, delay).type("wanted").build());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedCancellationStopsNoOtherOfAnOperator(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            schedule(kit, HOUR);
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
            schedule(kit, Duration.ZERO);
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

    /** The store examines 2,000 timers at a time, and the refused one is the only match among the first ones. */
    @ParameterizedTest
    @EnumSource
    void aPageWithNothingButARefusedTimerDoesNotEndTheCall(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, 2_100)
                            .mapToObj(i ->
                                    Timer.after("s" + i, HOUR).type("other").build())
                            .toList());
            kit.scheduler().schedule(Timer.after("refused", HOUR).type("wanted").build());
            kit.scheduler().schedule(Timer.after("z", HOUR).type("wanted").build());
            JdbcPart.execute(pool, kind.refusingToEnd("refused"));

            assertThatThrownBy(() ->
                            kit.scheduler().admin().cancel(TimerQuery.all().type("wanted")))
                    .isInstanceOf(RefusedException.class);

            assertThat(state(kit, "z")).isEqualTo(TimerState.CANCELLED);
            assertThat(state(kit, "refused")).isEqualTo(TimerState.SCHEDULED);
            assertThat(state(kit, "s0")).isEqualTo(TimerState.SCHEDULED);
        }
    }

    /** A call in which nothing can be changed would otherwise last as long as there are timers. */
    @ParameterizedTest
    @EnumSource(names = "H2")
    void aThousandRefusedTimersInARowEndTheCall(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, 1_000)
                            .mapToObj(i -> Timer.after("a" + i, HOUR).build())
                            .toList());
            kit.scheduler().schedule(Timer.after("z", HOUR).build());
            JdbcPart.execute(
                    pool,
                    "ALTER TABLE timer_schedules ADD CONSTRAINT kept"
                            + " CHECK (state = 'SCHEDULED' OR timer_id NOT LIKE 'a%')");

            assertThatThrownBy(() ->
                            kit.scheduler().admin().cancel(TimerQuery.all().queue(Timer.DEFAULT_QUEUE)))
                    .isInstanceOf(RefusedException.class);
            assertThat(state(kit, "z")).isEqualTo(TimerState.SCHEDULED);

            JdbcPart.execute(pool, "DELETE FROM timer_schedules WHERE timer_id = 'a0'");
            assertThatThrownBy(() ->
                            kit.scheduler().admin().cancel(TimerQuery.all().queue(Timer.DEFAULT_QUEUE)))
                    .isInstanceOf(RefusedException.class);
            assertThat(state(kit, "z")).isEqualTo(TimerState.CANCELLED);
        }
    }
}
