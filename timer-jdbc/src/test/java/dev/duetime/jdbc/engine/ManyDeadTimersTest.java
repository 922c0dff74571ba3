package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.admin.TimerViews;
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
                OneSession session = OneSession.of(databases.create())) {
            ScheduleStore store =
                    JdbcScheduleStore.builder(session.pool()).migrate(false).build();
            JdbcPart.execute(session.pool(), FILL);

            assertThat(session.readBy(() -> assertThat(store.query(DEAD)).hasSize(100)))
                    .isLessThan(1_000);
            assertThat(session.readBy(() -> store.query(DEAD.tenantId("tenant"))))
                    .isLessThan(1_000);
            assertThat(session.readBy(() -> store.admin().versions(DEAD, null))).isLessThan(5_000);
            assertThat(session.readBy(() -> store.admin().views().countUpTo(DEAD, 1_000)))
                    .isLessThan(5_000);
            assertThat(session.readBy(() -> store.admin().views().deadGroups(DEAD)))
                    .isLessThan(25_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aRowInAnUnknownStateIsFoundAmongThem(Database kind) {
        try (FreshDatabases databases = kind.open();
                OneSession session = OneSession.of(databases.create())) {
            ScheduleStore store =
                    JdbcScheduleStore.builder(session.pool()).migrate(false).build();
            JdbcPart.execute(session.pool(), FILL);
            JdbcPart.execute(session.pool(), "UPDATE timer_schedules SET state = 'PARKED' WHERE timer_id = '0-0'");

            List<StoredTimer> page = store.query(DEAD.limit(2));

            assertThat(page).extracting(timer -> timer.key().timerId()).containsExactly("0-0", "0-1");
            assertThat(page).allMatch(timer -> timer.state() == TimerState.DEAD);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aRowInAnUnknownStateDoesNotMakeReadsSortAllDeadTimers(Database kind) {
        try (FreshDatabases databases = kind.open();
                OneSession session = OneSession.of(databases.create())) {
            ScheduleStore store =
                    JdbcScheduleStore.builder(session.pool()).migrate(false).build();
            JdbcPart.execute(session.pool(), FILL);
            JdbcPart.execute(session.pool(), "UPDATE timer_schedules SET state = 'PARKED' WHERE timer_id = '0-1'");
            TimerViews views = store.admin().views();

            assertThat(session.readBy(
                            () -> assertThat(ids(store.query(DEAD.limit(3)))).containsExactly("0-0", "0-1", "0-10")))
                    .isLessThan(1_000);
            assertThat(session.readBy(() -> assertThat(ids(
                                    store.query(DEAD.tenantId("tenant").limit(2).after(TimerKey.of("tenant", "0-0")))))
                            .containsExactly("0-1", "0-10")))
                    .isLessThan(1_000);
            assertThat(session.readBy(() -> store.admin().versions(DEAD, null))).isLessThan(5_000);
            assertThat(session.readBy(
                            () -> assertThat(views.countUpTo(DEAD, 1_000)).isEqualTo(new BoundedCount(1_000, false))))
                    .isLessThan(5_000);
            assertThat(session.readBy(() -> assertThat(views.deadGroups(DEAD).groups())
                            .containsExactly(new DeadGroup("mail", "timer", "E", 5_001, null))))
                    .isLessThan(25_000);
            assertThat(views.countUpTo(DEAD, 50_000)).isEqualTo(new BoundedCount(30_276, true));
        }
    }

    /** MariaDB keeps a temporary table in memory only if it has no long column, and each column has its full length. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void readsOfManyDeadTimersWriteNoTemporaryTableToTheDisk(Database kind) {
        TimerQuery failed = DEAD.errorClass("E");
        try (FreshDatabases databases = kind.open();
                OneSession session = OneSession.of(databases.create())) {
            ScheduleStore store =
                    JdbcScheduleStore.builder(session.pool()).migrate(false).build();
            JdbcPart.execute(session.pool(), FILL);
            TimerViews views = store.admin().views();

            for (Runnable call : List.<Runnable>of(
                    () -> assertThat(views.deadGroups(DEAD).groups()).hasSize(1),
                    () -> assertThat(views.deadGroups(failed).groups()).hasSize(1),
                    () -> assertThat(views.countUpTo(DEAD, 50_000).timers()).isEqualTo(30_276),
                    () -> assertThat(views.countUpTo(failed, 10_000).timers()).isEqualTo(5_000),
                    () -> assertThat(views.timers(failed)).hasSize(100))) {
                assertThat(session.countedBy("Created_tmp_disk_tables", call)).isZero();
            }
        }
    }

    private static List<String> ids(List<StoredTimer> timers) {
        return timers.stream().map(timer -> timer.key().timerId()).toList();
    }
}
