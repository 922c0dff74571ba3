package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.BreakableDataSource;
import dev.duetime.jdbc.database.CountingDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real engine on real databases. */
class EngineOnDatabaseTest {
    private static final int TIMERS = 300;
    private static final Duration BETWEEN = Duration.ofMillis(50);

    @ParameterizedTest
    @EnumSource
    void everyTimerIsDeliveredOnceInOrderAndPurgedAfterItsRetention(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(settings -> settings.retention(Duration.ofMinutes(1)))
                        .build()) {
            Instant start = kit.now();
            kit.scheduler().scheduleAll(timers(start));

            kit.advance(BETWEEN.multipliedBy(TIMERS));

            assertThat(kit.delivered()).extracting(Envelope::key).containsExactlyElementsOf(keys());
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each.event().reachedAt())
                            .isEqualTo(each.event().dueAt()));
            assertThat(kit.scheduler().find(key(0)).map(StoredTimer::state)).hasValue(TimerState.REACHED);
            kit.advance(Duration.ofMinutes(2));
            assertThat(kit.scheduler().find(key(0))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOutageOfTenMinutesDelaysTimersAndLosesNone(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            BreakableDataSource breakable = new BreakableDataSource(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(breakable)).build()) {
                kit.scheduler().scheduleAll(timers(kit.now()));

                breakable.breakDown();
                kit.advance(Duration.ofMinutes(10));
                assertThat(kit.delivered()).isEmpty();

                breakable.repair();
                kit.advance(Duration.ofSeconds(5));
                assertThat(kit.delivered()).extracting(Envelope::key).containsExactlyElementsOf(keys());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void unreadableRowsDelayNothingAndAreNotReadForEver(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counting = new CountingDataSource(pool);
            try (TimerKit kit = TimerKit.builder()
                    .store(JdbcScheduleStore.of(counting))
                    .configure(settings -> settings.batchSize(5))
                    .build()) {
                kit.scheduler().scheduleAll(timers(kit.now()).subList(0, 30));
                JdbcPart.execute(pool, "UPDATE timer_schedules SET timer_id = '\n' WHERE timer_id = 'timer-0'");
                JdbcPart.execute(pool, "UPDATE timer_schedules SET timer_id = '' WHERE timer_id = 'timer-1'");
                JdbcPart.execute(pool, "UPDATE timer_schedules SET headers = '[' WHERE timer_id = 'timer-2'");
                JdbcPart.execute(pool, "UPDATE timer_schedules SET state = 'LOST' WHERE timer_id = 'timer-3'");
                int before = counting.connections();

                kit.advance(Duration.ofMinutes(1));

                assertThat(kit.delivered()).extracting(Envelope::key).containsExactlyElementsOf(keys().subList(4, 30));
                assertThat(kit.delivered())
                        .allSatisfy(each -> assertThat(each.event().lateness()).isEqualTo(Duration.ZERO));
                // At most five each timer and polling interval, and the renewals of leases.
                assertThat(counting.connections() - before).isLessThan(5 * (30 + 12) + 100);
                assertThat(kit.scheduler().find(key(2)).map(StoredTimer::state)).hasValue(TimerState.DEAD);
                assertThat(JdbcPart.query(pool, "SELECT count(*) FROM timer_schedules WHERE state = 'SCHEDULED'"))
                        .containsExactly("2");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimerThatIsDueSoonFiresLongBeforeThePollingInterval(Database kind) throws InterruptedException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            BlockingQueue<Envelope> delivered = new LinkedBlockingQueue<>();
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(pool))
                    .publisher(delivered::addAll)
                    .pollInterval(Duration.ofMinutes(10))
                    .build()) {
                scheduler.start();
                scheduler.schedule(Timer.at("first", Instant.EPOCH).build());
                assertThat(delivered.poll(60, TimeUnit.SECONDS)).isNotNull();

                for (int i = 0; i < 5; i++) {
                    scheduler.schedule(
                            Timer.after("soon-" + i, Duration.ofMillis(50)).build());

                    Envelope envelope = delivered.poll(60, TimeUnit.SECONDS);
                    assertThat(envelope).isNotNull();
                    assertThat(envelope.event().lateness()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
                }
            }
        }
    }

    @Test
    void terminatedBackendsLoseNothing() throws InterruptedException, SQLException {
        try (FreshDatabases databases = Database.POSTGRESQL.open()) {
            String url = databases.create();
            BlockingQueue<Envelope> delivered = new LinkedBlockingQueue<>();
            try (HikariDataSource pool = FreshDatabases.pool(url + "&ApplicationName=terminated");
                    HikariDataSource tormentor = FreshDatabases.pool(url);
                    Scheduler scheduler = Scheduler.builder()
                            .store(JdbcScheduleStore.of(pool))
                            .publisher(delivered::addAll)
                            .batchSize(20)
                            .build()) {
                scheduler.scheduleAll(timers(Instant.EPOCH));
                scheduler.start();
                Set<TimerKey> seen = new HashSet<>();
                while (seen.size() < TIMERS) {
                    Envelope envelope = delivered.poll(60, TimeUnit.SECONDS);
                    assertThat(envelope)
                            .as("after %d of %d", seen.size(), TIMERS)
                            .isNotNull();
                    if (seen.add(envelope.key()) && seen.size() % 100 == 0) {
                        terminate(tormentor);
                    }
                }
                assertThat(seen).containsExactlyInAnyOrderElementsOf(keys());
            }
        }
    }

    private static void terminate(HikariDataSource tormentor) throws SQLException {
        try (Connection connection = tormentor.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'terminated'");
        }
    }

    /** Returns timers that are due one after the other, beginning at the given time. */
    private static List<Timer> timers(Instant start) {
        return IntStream.range(0, TIMERS)
                .mapToObj(i -> Timer.at(key(i), start.plus(BETWEEN.multipliedBy(i)))
                        .payload(i)
                        .build())
                .toList();
    }

    private static List<TimerKey> keys() {
        return IntStream.range(0, TIMERS).mapToObj(EngineOnDatabaseTest::key).toList();
    }

    private static TimerKey key(int i) {
        return TimerKey.of("timer-" + i);
    }
}
