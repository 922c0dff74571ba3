package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.TimerVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of transactions that change large timers. H2 keeps what they write in the heap. */
class LargeRowsTest {
    private static final int TIMERS = 12;
    private static final int MEBIBYTES_AT_ONCE = 8;
    private static final Payload LARGE =
            Payload.of(('"' + "x".repeat(1024 * 1024 - 2) + '"').getBytes(StandardCharsets.UTF_8));

    @Test
    void h2ChangesFewLargeTimersAtOnceAndManySmallOnes() {
        with(Database.H2, (store, scheduler) -> {
            schedule(
                    scheduler, i -> Timer.after("large" + i, Duration.ofDays(1)).payload(LARGE));
            schedule(scheduler, i -> Timer.after("small" + i, Duration.ofDays(1)));

            assertThat(store.admin().changedAtOnce(versions(store, "large"))).isBetween(1, MEBIBYTES_AT_ONCE);
            assertThat(store.admin().changedAtOnce(versions(store, "small"))).isEqualTo(TIMERS);
        });
    }

    @Test
    void h2PurgesAllLargeTimersThatItIsAskedFor() {
        with(Database.H2, (store, scheduler) -> {
            schedule(
                    scheduler, i -> Timer.after("large" + i, Duration.ofDays(1)).payload(LARGE));
            Instant before = scheduler.now().plus(Duration.ofDays(1));
            scheduler.schedule(Timer.after("open", Duration.ofDays(1)).build());
            IntStream.range(0, TIMERS).forEach(i -> scheduler.cancel(TimerKey.of("large" + i)));

            assertThat(store.purge("default", before, TIMERS - 1)).isEqualTo(TIMERS - 1);
            assertThat(store.purge("default", before, TIMERS)).isEqualTo(1);
            assertThat(store.purge("default", before, TIMERS)).isZero();
            assertThat(scheduler.find(TimerKey.of("open"))).isPresent();
        });
    }

    @Test
    void aDatabaseOutsideTheHeapChangesAllAtOnce() {
        with(Database.SQLITE, (store, scheduler) -> {
            schedule(
                    scheduler, i -> Timer.after("large" + i, Duration.ofDays(1)).payload(LARGE));

            assertThat(store.admin().changedAtOnce(versions(store, "large"))).isEqualTo(TIMERS);
        });
    }

    @FunctionalInterface
    private interface Use {
        void of(JdbcScheduleStore store, Scheduler scheduler);
    }

    private static void with(Database kind, Use use) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            try (Scheduler scheduler =
                    Scheduler.builder().store(store).publisher(batch -> {}).build()) {
                use.of(store, scheduler);
            }
        }
    }

    private static void schedule(Scheduler scheduler, IntFunction<Timer.Builder> timer) {
        for (int i = 0; i < TIMERS; i++) {
            scheduler.schedule(timer.apply(i).build());
        }
    }

    private static List<TimerVersion> versions(JdbcScheduleStore store, String prefix) {
        return store.admin()
                .versions(TimerQuery.all().tenantId("default").idPrefix(prefix).limit(100), null)
                .timers();
    }
}
