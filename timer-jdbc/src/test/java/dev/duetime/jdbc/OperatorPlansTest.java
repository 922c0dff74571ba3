package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.time.Instant;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Specifies that what an operator asks for keeps to its index, however often one connection runs it. */
class OperatorPlansTest {
    /** PostgreSQL prepares a statement at its fifth run, and plans it for any parameters at its tenth. */
    private static final int RUNS = 12;

    private static final TimerQuery PAGE = TimerQuery.all().limit(50);

    enum Asked {
        ALL(PAGE),
        ALL_AFTER(PAGE.after(TimerKey.of("tenant", "t-7"))),
        TENANT(PAGE.tenantId("tenant")),
        TENANT_AFTER(PAGE.tenantId("tenant").after(TimerKey.of("tenant", "t-7"))),
        QUEUE(PAGE.queue("queue").state(TimerState.REACHED)),
        SCHEDULED(PAGE.state(TimerState.SCHEDULED).queue("queue")),
        DEAD(PAGE.state(TimerState.DEAD)),
        DUE(PAGE.tenantId("tenant").due(Instant.EPOCH, Instant.EPOCH.plusMillis(7)));

        private final TimerQuery query;

        Asked(TimerQuery query) {
            this.query = query;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPageIsReadByAnIndex(Asked asked) {
        readsNoTable((store, time) -> store.query(asked.query.limit(50 + time % 2)));
    }

    @ParameterizedTest
    @EnumSource
    void aPageOfVersionsIsReadByAnIndex(Asked asked) {
        readsNoTable((store, time) -> store.admin().versions(asked.query, null));
    }

    @Test
    void scheduledAndDeadTimersAreCountedByAnIndex() {
        readsNoTable((store, time) -> {
            store.admin().count(TimerQuery.all().state(TimerState.DEAD));
            store.admin().count(TimerQuery.all().state(TimerState.SCHEDULED).queue("queue"));
            store.admin().count(TimerQuery.all().tenantId("other"));
        });
    }

    private static void readsNoTable(BiConsumer<JdbcScheduleStore, Integer> work) {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource opening = FreshDatabases.pool(databases.create());
                HikariDataSource one = FreshDatabases.pool(opening.getJdbcUrl())) {
            JdbcScheduleStore.of(opening);
            JdbcPart.execute(opening, PostgresScheduleStoreTest.rows(1, 5_000, "'REACHED', NULL"));
            JdbcPart.execute(opening, PostgresScheduleStoreTest.rows(5_001, 5_100, "'SCHEDULED', i"));
            JdbcPart.execute(opening, PostgresScheduleStoreTest.rows(5_101, 5_110, "'DEAD', NULL"));
            JdbcPart.execute(opening, "VACUUM ANALYZE timer_schedules");
            one.setMaximumPoolSize(1);
            JdbcScheduleStore store =
                    JdbcScheduleStore.builder(one).migrate(false).build();
            String before = scans(one);

            for (int time = 0; time < RUNS; time++) {
                work.accept(store, time);
            }

            assertThat(scans(one)).isEqualTo(before);
        }
    }

    private static String scans(HikariDataSource dataSource) {
        JdbcPart.rows(dataSource, "SELECT pg_stat_force_next_flush()");
        return JdbcPart.rows(
                        dataSource, "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'timer_schedules'")
                .get(0);
    }
}
