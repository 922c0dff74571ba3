package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.StatementCounts;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule that a statement for many keys locks only their rows. A database that reads the whole table for a long list,
 * or for a list about as long as the table, would lock the rows of all tenants.
 */
class ManyKeysTest {
    /** As long as ids may be: the plan of a list takes more memory with longer keys. */
    private static final String LONG = "x".repeat(150);

    private static final TimerKey HELD = TimerKey.of("held", "held");

    private static List<Timer> timers(int count, int days) {
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.after(
                                TimerKey.of("tenant-" + LONG.substring(0, 40), i + LONG), Duration.ofDays(days))
                        .build())
                .toList();
    }

    private static void hold(Connection holder) throws SQLException {
        try (Statement statement = holder.createStatement()) {
            statement.execute("UPDATE timer_schedules SET priority = priority + 1"
                    + " WHERE tenant_id = 'held' AND timer_id = 'held' AND scope = ''");
        }
    }

    private static int settle(TimerKit kit, List<StoredTimer> timers, Function<StoredTimer, Settlement> outcome) {
        return kit.store().settle(timers.stream().map(outcome).toList());
    }

    private static Settlement retried(StoredTimer timer) {
        return new Settlement.Retried(timer.key(), timer.generation(), timer.dueAt(), 1, null);
    }

    private static Settlement reached(StoredTimer timer) {
        return new Settlement.Ended(timer.key(), timer.generation(), TimerState.REACHED, timer.dueAt(), 1, null);
    }

    private static Settlement deleted(StoredTimer timer) {
        return new Settlement.Deleted(timer.key(), timer.generation());
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL, 4",
        "MYSQL, 40",
        "MYSQL, 1000",
        "MARIADB, 4",
        "MARIADB, 40",
        "MARIADB, 1000",
        "POSTGRESQL, 1000",
        "H2, 1000"
    })
    void manyTimersAreScheduledAndSettledBesideARowThatIsHeld(Database kind, int count) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
                Connection holder = pool.getConnection()) {
            kit.scheduler().schedule(Timer.after(HELD, Duration.ofDays(1)).build());
            kit.scheduler().scheduleAll(timers(count, 1));
            if (kind == Database.MYSQL || kind == Database.MARIADB) {
                JdbcPart.rows(pool, "ANALYZE TABLE timer_schedules");
            }
            holder.setAutoCommit(false);
            hold(holder);

            kit.scheduler().scheduleAll(timers(count, 2));
            List<StoredTimer> all = timers(count, 2).stream()
                    .map(each -> kit.store().find(each.key()).orElseThrow())
                    .toList();

            assertThat(settle(kit, all, ManyKeysTest::retried)).isEqualTo(count);
            assertThat(settle(kit, all.subList(0, count / 2), ManyKeysTest::reached))
                    .isEqualTo(count / 2);
            assertThat(settle(kit, all.subList(count / 2, count), ManyKeysTest::deleted))
                    .isEqualTo(count - count / 2);
        }
    }

    /** Else each outcome of a large batch would take some statements, and the queue would wait for them. */
    @Test
    void outcomesBesideAHeldRowAreWrittenTogetherOnMySql() throws SQLException {
        try (FreshDatabases databases = Database.MYSQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
                Connection holder = pool.getConnection()) {
            kit.scheduler().schedule(Timer.after(HELD, Duration.ofDays(1)).build());
            kit.scheduler().scheduleAll(timers(400, 1));
            List<Settlement> outcomes = new ArrayList<>();
            outcomes.add(reached(kit.store().find(HELD).orElseThrow()));
            timers(400, 1)
                    .forEach(each ->
                            outcomes.add(reached(kit.store().find(each.key()).orElseThrow())));
            holder.setAutoCommit(false);
            hold(holder);
            StatementCounts counts = new StatementCounts(pool);

            Settled settled =
                    JdbcScheduleStore.builder(counts).migrate(false).build().settleUnlocked(outcomes);

            assertThat(settled.count()).isEqualTo(400);
            assertThat(settled.locked()).extracting(Settlement::key).containsExactly(HELD);
            assertThat(counts.total()).isLessThan(100);
        }
    }
}
