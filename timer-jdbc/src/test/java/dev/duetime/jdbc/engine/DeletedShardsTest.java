package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that timers are delivered though somebody deletes or renumbers the rows of shards. */
class DeletedShardsTest {
    private static final int TIMERS = 40;
    private static final int SHARDS = 8;
    /** Later than a repair may take. */
    private static final Duration LATER = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource
    void aRunningNodeRestoresAllShards(Database kind) {
        repairedWhileRunning(kind, "DELETE FROM timer_shards");
    }

    @ParameterizedTest
    @EnumSource
    void aRunningNodeRestoresSomeShards(Database kind) {
        repairedWhileRunning(kind, "DELETE FROM timer_shards WHERE shard IN (0, 3, 7)");
    }

    @ParameterizedTest
    @EnumSource
    void aRunningNodeRestoresShardsThatWereRenumbered(Database kind) {
        repairedWhileRunning(kind, "UPDATE timer_shards SET shard = shard + 100 WHERE shard > 2");
    }

    @ParameterizedTest
    @EnumSource
    void aRunningNodeRestoresShardsWithNegativeNumbers(Database kind) {
        repairedWhileRunning(kind, "UPDATE timer_shards SET shard = -1 - shard");
    }

    private static void repairedWhileRunning(Database kind, String change) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            kit.advance(Duration.ofMinutes(2));
            schedule(kit, "before");

            execute(pool, change);
            schedule(kit, "after");
            kit.advance(LATER.plus(Duration.ofSeconds(30)));

            assertThat(delivered(kit)).containsExactlyInAnyOrderElementsOf(ids("before", "after"));
            assertThat(kit.delivered())
                    .allSatisfy(
                            each -> assertThat(each.event().lateness()).isLessThanOrEqualTo(Duration.ofSeconds(10)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStartRestoresTheHighestShards(Database kind) {
        repairedByTheStart(kind, "DELETE FROM timer_shards WHERE shard > 2");
    }

    @ParameterizedTest
    @EnumSource
    void aStartRestoresTheLowestShards(Database kind) {
        repairedByTheStart(kind, "DELETE FROM timer_shards WHERE shard < 5");
    }

    @ParameterizedTest
    @EnumSource
    void aStartRestoresAllShardsThoughItsSettingIsSmaller(Database kind) {
        repairedByTheStart(kind, "DELETE FROM timer_shards");
    }

    /** The new node is set to fewer shards than the waiting timers need. */
    private static void repairedByTheStart(Database kind, String change) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            try (TimerKit kit = kit(pool)) {
                schedule(kit, "before");
            }
            execute(pool, change);
            execute(pool, "INSERT INTO timer_shards (queue, shard, epoch) VALUES ('default', 2000000000, 0)");

            try (TimerKit kit = TimerKit.builder()
                    .store(JdbcScheduleStore.of(pool))
                    .configure(builder -> builder.shards(2))
                    .build()) {
                kit.advance(LATER.plus(Duration.ofSeconds(30)));

                assertThat(delivered(kit)).containsExactlyInAnyOrderElementsOf(ids("before"));
            }
        }
    }

    private static TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder()
                .store(JdbcScheduleStore.of(pool))
                .configure(builder -> builder.shards(SHARDS))
                .build();
    }

    private static void schedule(TimerKit kit, String prefix) {
        kit.scheduler()
                .scheduleAll(ids(prefix).stream()
                        .map(id -> Timer.after(id, LATER).build())
                        .toList());
    }

    private static List<String> ids(String... prefixes) {
        return List.of(prefixes).stream()
                .flatMap(prefix -> IntStream.range(0, TIMERS).mapToObj(i -> prefix + "-" + i))
                .toList();
    }

    private static List<String> delivered(TimerKit kit) {
        return kit.delivered().stream()
                .map(Envelope::key)
                .map(key -> key.timerId())
                .toList();
    }

    private static void execute(HikariDataSource pool, String change) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
