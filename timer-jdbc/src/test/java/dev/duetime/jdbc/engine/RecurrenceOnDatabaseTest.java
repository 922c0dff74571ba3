package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of recurring timers with the real engine on real databases. */
class RecurrenceOnDatabaseTest {
    private static final Instant START = TestClock.START;
    private static final Recurrence EVERY_TEN = Recurrence.every(Duration.ofMinutes(10));

    private static void onDatabase(Database kind, Consumer<TimerKit> test) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        // Long intervals, because this test is not about how often the store is called.
                        .configure(scheduler -> scheduler
                                .pollInterval(Duration.ofMinutes(1))
                                .leaseDuration(Duration.ofMinutes(1))
                                .retry(RetryPolicy.fixed(Duration.ofHours(1)).noRetryOn(IOException.class)))
                        .build()) {
            test.accept(kit);
        }
    }

    private static StoredTimer stored(TimerKit kit, String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    private static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    private static List<Instant> dueTimes(TimerKit kit, String timerId) {
        return kit.delivered(timerId).stream().map(each -> each.event().dueAt()).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aTimerMovesFromOccurrenceToOccurrence(Database kind) {
        onDatabase(kind, kit -> {
            Timer timer = Timer.recurring("a", EVERY_TEN)
                    .payload("p")
                    .validFor(Duration.ofMinutes(5))
                    .build();
            kit.scheduler().schedule(timer);
            kit.advance(Duration.ofMinutes(25));

            assertThat(dueTimes(kit, "a")).containsExactly(minute(10), minute(20));
            assertThat(kit.delivered("a").get(1).event().previous()).isEqualTo(minute(10));
            assertThat(stored(kit, "a").state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(stored(kit, "a").dueAt()).isEqualTo(minute(30));
            assertThat(stored(kit, "a").content().expiresAt()).isEqualTo(minute(35));
            assertThat(kit.scheduler().schedule(timer).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        });
    }

    @ParameterizedTest
    @EnumSource
    void missedOccurrencesAreCaughtUpByAllLatestAndNone(Database kind) {
        onDatabase(kind, kit -> {
            for (CatchUp catchUp : CatchUp.values()) {
                kit.scheduler()
                        .schedule(Timer.recurring(catchUp.name(), EVERY_TEN.catchUp(catchUp))
                                .build());
            }
            kit.node(0).crashBefore(StoreCall.SETTLE);
            kit.advance(Duration.ofMinutes(45));
            kit.node(0).restart();
            kit.advance(Duration.ofSeconds(30));

            // The first occurrence was published by the process that died before it could settle it.
            assertThat(dueTimes(kit, "ALL"))
                    .containsExactly(minute(10), minute(10), minute(20), minute(30), minute(40));
            assertThat(dueTimes(kit, "LATEST")).containsExactly(minute(10), minute(40));
            assertThat(dueTimes(kit, "NONE")).containsExactly(minute(10));
            assertThat(stored(kit, "NONE").dueAt()).isEqualTo(minute(50));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDeadOccurrenceKeepsItsErrorAndTheNextOneFollows(Database kind) {
        onDatabase(kind, kit -> {
            kit.publisher()
                    .failOn(each -> each.key().timerId().equals("a")
                            && each.event().dueAt().equals(minute(10)));
            kit.scheduler().schedule(Timer.recurring("a", EVERY_TEN).build());
            kit.scheduler().schedule(Timer.recurring("other", EVERY_TEN).build());
            kit.advance(Duration.ofMinutes(15));

            assertThat(stored(kit, "a").failure()).extracting(Failure::lastAt).isEqualTo(minute(10));
            assertThat(stored(kit, "a").previousAt()).isNull();
            kit.advance(Duration.ofMinutes(5));
            assertThat(dueTimes(kit, "a")).containsExactly(minute(20));
            assertThat(stored(kit, "a").failure()).isNull();
            assertThat(stored(kit, "a").previousAt()).isEqualTo(minute(20));
        });
    }
}
