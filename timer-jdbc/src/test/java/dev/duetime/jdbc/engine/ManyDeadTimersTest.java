package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that reads of dead timers examine a bounded number of them where an index has all states. */
class ManyDeadTimersTest {
    private static final TimerQuery DEAD = TimerQuery.all().state(TimerState.DEAD);

    /** 30,276 of them. */
    private static final String FILL = "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, state,"
            + " generation, attempt, revision, type, payload, priority, registered_at, settled_at, error)"
            + " WITH RECURSIVE few AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM few WHERE n < 173)"
            + " SELECT 'tenant', concat(a.n, '-', b.n), 'mail', 0, 0, 'DEAD', 1, 1, 0, 'timer', '', 0, 0, 0, 'E: gone'"
            + " FROM few AS a, few AS b";

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void readsOfDeadTimersDoNotSortAllOfThem(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = one(databases.create())) {
            ScheduleStore store = JdbcScheduleStore.builder(pool).migrate(false).build();
            JdbcPart.execute(pool, FILL);

            assertThat(readBy(pool, () -> assertThat(store.query(DEAD)).hasSize(100)))
                    .isLessThan(1_000);
            assertThat(readBy(pool, () -> store.query(DEAD.tenantId("tenant")))).isLessThan(1_000);
            assertThat(readBy(pool, () -> store.admin().versions(DEAD, null))).isLessThan(5_000);
            assertThat(readBy(pool, () -> store.admin().views().countUpTo(DEAD, 1_000)))
                    .isLessThan(5_000);
            assertThat(readBy(pool, () -> store.admin().views().deadGroups(DEAD)))
                    .isLessThan(25_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aRowInAnUnknownStateIsFoundAmongThem(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = one(databases.create())) {
            ScheduleStore store = JdbcScheduleStore.builder(pool).migrate(false).build();
            JdbcPart.execute(pool, FILL);
            JdbcPart.execute(pool, "UPDATE timer_schedules SET state = 'PARKED' WHERE timer_id = '0-0'");

            List<StoredTimer> page = store.query(DEAD.limit(2));

            assertThat(page).extracting(timer -> timer.key().timerId()).containsExactly("0-0", "0-1");
            assertThat(page).allMatch(timer -> timer.state() == TimerState.DEAD);
        }
    }

    /** All calls use one connection, whose statistics count them. */
    private static HikariDataSource one(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource migrating = FreshDatabases.pool(url)) {
            assertThat(JdbcScheduleStore.of(migrating)).isNotNull();
        }
        return new HikariDataSource(config);
    }

    private static long readBy(HikariDataSource pool, Runnable call) {
        long before = read(pool);
        call.run();
        return read(pool) - before;
    }

    /** Returns how many entries of indexes this session has read. */
    private static long read(HikariDataSource pool) {
        String row = JdbcPart.rows(pool, "SHOW SESSION STATUS LIKE 'Handler_read_next'")
                .get(0);
        return Long.parseLong(row.substring(row.lastIndexOf('|') + 1));
    }
}
