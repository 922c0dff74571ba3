package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a deletion reads the timers that it deletes and no others, also if most timers are old enough. */
class ManyOldTimersTest {
    /** 30,276 of them. 4,350 are dead, and stay. */
    private static final String FILL = "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, state,"
            + " generation, attempt, revision, type, payload, priority, registered_at, settled_at)"
            + " WITH RECURSIVE few AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM few WHERE n < 173)"
            + " SELECT 'tenant', concat(a.n, '-', b.n), 'mail', 0, 0, CASE WHEN a.n < 25 THEN 'DEAD' ELSE 'REACHED' END,"
            + " 1, 1, 0, 'timer', '', 0, 0, 1 FROM few AS a, few AS b";

    /** A DELETE names no index: it read the one of the poll, in which the dead timers of a shard come first. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aDeletionReadsNoTimersThatStay(Database kind) {
        try (FreshDatabases databases = kind.open();
                OneSession session = OneSession.of(databases.create())) {
            ScheduleStore store =
                    JdbcScheduleStore.builder(session.pool()).migrate(false).build();
            JdbcPart.execute(session.pool(), FILL);
            JdbcPart.execute(session.pool(), "ANALYZE TABLE timer_schedules");

            assertThat(session.readBy(() -> assertThat(store.purge("mail", Instant.ofEpochSecond(1), 1_000))
                            .isEqualTo(1_000)))
                    .isLessThan(3_000);
        }
    }
}
