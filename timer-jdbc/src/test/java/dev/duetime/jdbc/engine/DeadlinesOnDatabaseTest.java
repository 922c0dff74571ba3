package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of deadlines and dead letters with the real engine on real databases. */
class DeadlinesOnDatabaseTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration HOUR = Duration.ofHours(1);

    private static void onDatabase(Database kind, Consumer<TimerKit> test) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler
                                .type("brief", type -> type.validFor(HOUR))
                                .retry(RetryPolicy.fixed(HOUR).noRetryOn(IOException.class)))
                        .build()) {
            test.accept(kit);
        }
    }

    private static StoredTimer stored(TimerKit kit, String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void dueTimeAndDeadlineAreStoredToTheMicrosecond(Database kind) {
        onDatabase(kind, kit -> {
            Instant dueAt = kit.now().plusSeconds(1);
            kit.scheduler().schedule(Timer.at("due", dueAt).type("brief").build());
            kit.advanceTo(dueAt.minus(TICK));
            assertThat(kit.delivered()).isEmpty();
            kit.advanceTo(dueAt);
            assertThat(kit.delivered("due")).hasSize(1);

            Instant next = dueAt.plus(HOUR);
            kit.scheduler().schedule(Timer.at("valid", next).type("brief").build());
            kit.scheduler()
                    .schedule(
                            Timer.at("expired", next).validFor(HOUR.minus(TICK)).build());
            kit.scheduler().schedule(Timer.at("endless", next).build());
            kit.node(0).pause();
            kit.advanceTo(next.plus(HOUR));
            kit.node(0).resume();
            kit.runDue();
            assertThat(kit.delivered("valid")).hasSize(1);
            assertThat(kit.delivered("endless")).hasSize(1);
            assertThat(stored(kit, "expired").state()).isEqualTo(TimerState.EXPIRED);
            assertThat(stored(kit, "expired").content().expiresAt())
                    .isEqualTo(next.plus(HOUR).minus(TICK));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDeadTimerKeepsPayloadErrorAttemptsAndTimes(Database kind) {
        onDatabase(kind, kit -> {
            kit.publisher().failOn(envelope -> true);
            kit.scheduler()
                    .schedule(Timer.at("dead", kit.now()).payload("content").build());
            kit.runDue();
            StoredTimer dead = stored(kit, "dead");
            assertThat(dead.state()).isEqualTo(TimerState.DEAD);
            assertThat(dead.attempt()).isEqualTo(1);
            assertThat(dead.content().payload().as(String.class)).isEqualTo("content");
            Failure failure = Objects.requireNonNull(dead.failure());
            assertThat(failure.error()).startsWith("java.io.IOException: the batch was refused");
            assertThat(failure.firstAt()).isEqualTo(kit.now());
            assertThat(failure.lastAt()).isEqualTo(kit.now());
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTimerWhoseRetryWouldComeTooLateKeepsItsError(Database kind) {
        onDatabase(kind, kit -> {
            Timer.Builder timer = Timer.at("late", kit.now()).validFor(HOUR.minus(TICK));
            kit.publisher().onEach(envelope -> {
                throw new IllegalStateException("busy");
            });
            kit.scheduler().schedule(timer.build());
            kit.runDue();
            assertThat(stored(kit, "late").state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(stored(kit, "late").attempt()).isZero();

            kit.publisher().onEach(envelope -> {
                if (envelope.key().timerId().equals("late")) {
                    throw new IllegalStateException("busy");
                }
            });
            kit.scheduler().schedule(Timer.at("other", kit.now()).build());
            kit.advance(Duration.ofSeconds(2));
            StoredTimer late = stored(kit, "late");
            assertThat(late.state()).isEqualTo(TimerState.EXPIRED);
            assertThat(late.attempt()).isEqualTo(1);
            assertThat(Objects.requireNonNull(late.failure()).error())
                    .isEqualTo("java.lang.IllegalStateException: busy");
        });
    }
}
