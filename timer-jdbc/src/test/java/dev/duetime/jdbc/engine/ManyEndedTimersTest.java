package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerCount;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.internal.row.Conditions;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.TimerVersion;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a table in which most timers have ended slows down neither queries nor deletions. */
class ManyEndedTimersTest {
    private static final int ENDED = 2_500;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String HELD =
            "UPDATE timer_schedules SET priority = 1 WHERE tenant_id = 'ended'" + " AND timer_id = '0' AND scope = ''";

    private static TimerKit kit(HikariDataSource pool) {
        TimerKit kit = TimerKit.builder()
                .store(JdbcScheduleStore.of(pool))
                .configure(settings -> settings.retention(Duration.ofHours(1)))
                .build();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, ENDED)
                        .mapToObj(i -> Timer.after(TimerKey.of("ended", "" + i), SECOND)
                                .build())
                        .toList());
        kit.advance(SECOND.multipliedBy(2));
        kit.scheduler()
                .schedule(Timer.after(TimerKey.of("tenant", "waits"), Duration.ofDays(1))
                        .type("rare")
                        .build());
        return kit;
    }

    @ParameterizedTest
    @EnumSource
    void aQueryWithoutAnIndexIsRefusedUnlessAScanIsAllowed(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            TimerQuery rare = TimerQuery.all().type("rare");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kit.scheduler().query(rare))
                    .withMessageContaining("2,000")
                    .withMessageContaining("allowScan()");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kit.scheduler().admin().count(rare));
            assertThat(kit.scheduler().query(rare.allowScan())).hasSize(1);
            assertThat(kit.scheduler().admin().count(rare.allowScan()))
                    .containsExactly(new TimerCount("default", TimerState.SCHEDULED, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aQueryWithAnIndexWorksAmongManyEndedTimers(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            TimerQuery scheduled = TimerQuery.all().state(TimerState.SCHEDULED);

            assertThat(kit.scheduler().query(scheduled)).hasSize(1);
            assertThat(kit.scheduler().query(scheduled.tenantId("tenant").queue("default")))
                    .hasSize(1);
            assertThat(kit.scheduler().query(scheduled.tenantId("ended"))).isEmpty();
            assertThat(kit.scheduler().query(scheduled.type("rare"))).hasSize(1);
            assertThat(kit.scheduler().query(scheduled.type("other"))).isEmpty();
            assertThat(kit.scheduler().admin().count(scheduled.type("rare")))
                    .containsExactly(new TimerCount("default", TimerState.SCHEDULED, 1));
            assertThat(kit.scheduler().admin().count(scheduled.tenantId("ended")))
                    .isEmpty();
            assertThat(kit.scheduler()
                            .query(TimerQuery.all().state(TimerState.DEAD).queue("default")))
                    .isEmpty();
            assertThat(kit.scheduler().query(TimerQuery.all())).hasSize(100);
            assertThat(kit.scheduler().admin().count(scheduled.queue("default")))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bulkOperationsReadPastManyTimersThatDoNotMatch(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            assertThat(kit.scheduler().admin().cancel(TimerQuery.all().type("rare")))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneReadOfABulkOperationEndsAfterManyTimersThatDoNotMatch(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            TimerQuery none = TimerQuery.all().type("other");

            TimerVersion.Page first = kit.store().admin().versions(none, null);
            TimerKey looked = Objects.requireNonNull(first.next());
            TimerVersion.Page last = kit.store().admin().versions(none.after(looked), null);

            assertThat(first.timers()).isEmpty();
            assertThat(last.timers()).isEmpty();
            assertThat(last.next()).isNull();
        }
    }

    /** SQLite has only one writer. */
    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldEndedRowIsPurgedLaterAndTheOthersNow(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Connection holder = pool.getConnection()) {
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute(HELD);
            }

            long began = System.nanoTime();
            int purged = 0;
            for (int i = 0; i < 4; i++) {
                purged += kit.store().purge("default", kit.clock().now().plusSeconds(1), 1_000);
            }

            assertThat(purged).isEqualTo(ENDED - 1);
            // MySQL waits for whole seconds, and looks once a second whether one has passed.
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(SECOND.multipliedBy(kind == Database.MYSQL ? 20 : 10));
            holder.rollback();
            assertThat(kit.store().purge("default", kit.clock().now().plusSeconds(1), 1_000))
                    .isEqualTo(1);
        }
    }

    @Test
    void thePlansOfPostgresUseTheIndexes() {
        assertUses(
                Database.POSTGRESQL,
                "timer_schedules_dead",
                "state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')");
        assertUses(Database.POSTGRESQL, "timer_schedules_pkey", "tenant_id = 'tenant'");
    }

    /** Otherwise a page far back in a large tenant reads all entries of the index before it. */
    @ParameterizedTest
    @ValueSource(strings = {"query_versions", "query_more", "query", "count"})
    void aPageOfATenantBeginsAtItsKeyOnPostgres(String statement) {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Handle handle = Jdbi.open(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            handle.execute("SET enable_seqscan = off");
            Query query = Conditions.of(TimerQuery.all().tenantId("ended"))
                    .after("ended", "1", "")
                    .bounded()
                    .query(handle, new SqlFiles("postgres"), statement, 2_000, 100);
            assertThat(query.mapToMap().list()).isNotEmpty();

            List<String> plan = handle.createQuery(
                            "EXPLAIN " + filled(query.getContext().getRawSql()))
                    .mapTo(String.class)
                    .list();

            assertThat(plan).anyMatch(line -> line.contains("Index Cond") && line.contains("ROW(timer_id, scope) >"));
        }
    }

    /** A generic plan expects an average tenant. For equality it read all timers of a large one, and sorted them. */
    @ParameterizedTest
    @ValueSource(strings = {"query_versions", "query_more", "query", "count", "count_keys"})
    void aTenantIsARangeForGenericPlans(String statement) {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Handle handle = Jdbi.open(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            SqlFiles sql = new SqlFiles("postgres");
            TimerQuery asked = TimerQuery.all().tenantId("ended");
            Query first = Conditions.of(asked).tenantAsRange().query(handle, sql, statement, 5, 5);
            Query next =
                    Conditions.of(asked).after("ended", "1", "").tenantAsRange().query(handle, sql, statement, 5, 5);
            Query other =
                    Conditions.of(asked).after("a", "1", "").tenantAsRange().query(handle, sql, statement, 5, 5);

            for (Query each : List.of(first, next, other)) {
                assertThat(each.mapToMap().list()).isNotEmpty();
            }
            assertThat(text(first)).contains("tenant_id >= :tenantId AND tenant_id <= :tenantId");
            assertThat(text(next)).contains("tenant_id <= :tenantId").doesNotContain("tenant_id >=", "tenant_id =");
            assertThat(text(other)).contains("tenant_id = :tenantId");
        }
    }

    private static String text(Query query) {
        return query.getContext().getRawSql();
    }

    @Test
    void aPageOfAPrefixBeginsAtThePrefixOnPostgres() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Handle handle = Jdbi.open(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            TimerQuery asked = TimerQuery.all().tenantId("ended").idPrefix("2");
            SqlFiles sql = new SqlFiles("postgres");

            Query before = Conditions.of(asked).after("ended", "1", "").query(handle, sql, "query", 2_000, 100);
            Query inside = Conditions.of(asked).after("ended", "2", "").query(handle, sql, "query", 2_000, 2_000);

            assertThat(before.mapToMap().list()).hasSize(100);
            assertThat(before.getContext().getRawSql()).doesNotContain("afterTimerId");
            assertThat(inside.mapToMap().list()).hasSize(610);
            assertThat(inside.getContext().getRawSql()).contains("afterTimerId");
        }
    }

    /** Each refused query, and each count up to a bound, looks beyond what it has examined. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void theLookForMoreReadsAnIndexAlone(Database kind) {
        boolean isPostgres = kind == Database.POSTGRESQL;
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            JdbcPart.execute(pool, isPostgres ? "VACUUM ANALYZE timer_schedules" : "ANALYZE TABLE timer_schedules");
            SqlFiles sql = isPostgres ? new SqlFiles("postgres") : SqlFiles.like("mariadb", "mysql");
            for (String condition : List.of("tenantId", isPostgres ? "dead" : "ended")) {
                String statement = filled(sql.text("query_more", Set.of(condition)));

                assertThat(JdbcPart.rows(pool, "EXPLAIN " + statement))
                        .as(condition)
                        .anyMatch(line -> line.contains(isPostgres ? "Index Only Scan" : "Using index")
                                && !line.contains("Using index condition"));
            }
        }
    }

    /** Old timers lie on a page each, and so do their entries in the primary key. */
    @Test
    void aDeletionOnPostgresReadsEachRowByItsPlace() {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            JdbcPart.execute(pool, "ANALYZE timer_schedules");
            String purge = new SqlFiles("postgres")
                    .text("purge")
                    .replace(":queue", "'default'")
                    .replace(":before", Long.toString(Long.MAX_VALUE))
                    .replace(":limit", "10");

            assertThat(JdbcPart.rows(pool, "EXPLAIN " + purge))
                    .anyMatch(line -> line.contains("TID Cond: (ctid = old.place)"))
                    .anyMatch(line -> line.contains("Index Scan using timer_schedules_settled"))
                    .noneMatch(line -> line.contains("timer_schedules_pkey"));
        }
    }

    /** Each part of a page of upcoming timers, and each count of scheduled ones, reads its entries alone. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void upcomingAndScheduledTimersAreReadFromAnIndexAlone(Database kind) {
        SqlFiles sql = SqlFiles.like("mariadb", "mysql");
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            assertThat(kit.scheduler()).isNotNull();
            JdbcPart.execute(pool, "ANALYZE TABLE timer_schedules");
            for (String statement : List.of(
                    sql.text("upcoming"),
                    sql.text("upcoming_after"),
                    sql.text("count_scheduled_up_to", Set.of("everyQueue")),
                    sql.text("count_scheduled_up_to", Set.of("queue")))) {
                String filled = filled(statement)
                        .replace("<head>", "11")
                        .replace(":queue", "'default'")
                        .replace(":shard", "3")
                        .replace(":from", "0");

                assertThat(JdbcPart.rows(pool, "EXPLAIN " + filled))
                        .as(filled)
                        .anyMatch(line -> line.contains("timer_schedules_") && line.contains("Using index"))
                        .noneMatch(line -> line.contains("timer_schedules_") && line.contains("filesort"));
            }
        }
    }

    /** A plan that sorts reads all rows, however few it returns. */
    @ParameterizedTest
    @ValueSource(strings = {"query_versions", "query_more", "query", "count"})
    void thePlansOfMariaDbReadTheIndexesInTheirOrder(String statement) {
        SqlFiles sql = new SqlFiles("mariadb");
        try (FreshDatabases databases = Database.MARIADB.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            JdbcPart.execute(pool, "ANALYZE TABLE timer_schedules");
            assertThat(kit.scheduler()).isNotNull();
            for (String state : List.of("", "scheduled", "ended")) {
                for (Set<String> others :
                        List.of(Set.<String>of(), Set.of("after"), Set.of("tenantId"), Set.of("tenantId", "after"))) {
                    Set<String> conditions = new HashSet<>(others);
                    conditions.addAll(List.of("bounded", state));

                    List<String> plan = JdbcPart.rows(pool, "EXPLAIN " + filled(sql.text(statement, conditions)));

                    assertThat(plan)
                            .as("%s of %s", statement, conditions)
                            .anyMatch(line -> line.contains(state.isEmpty() ? "|PRIMARY|" : "|timer_schedules_state|"))
                            .filteredOn(line -> line.contains("|timer_schedules|"))
                            .isNotEmpty()
                            .noneMatch(line -> line.contains("filesort") || line.contains("temporary"));
                }
            }
        }
    }

    private static String filled(String statement) {
        return statement
                .replace("<looked>", "2000")
                .replace("<limit>", "100")
                .replaceAll(":(after)?(t|T)enantId", "'ended'")
                .replace(":afterTimerId", "'1'")
                .replace(":afterScope", "''")
                .replace(":state", "'REACHED'");
    }

    private static void assertUses(Database kind, String index, String condition) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            JdbcPart.execute(pool, "ANALYZE timer_schedules");
            assertThat(kit.scheduler()).isNotNull();
            List<String> plan = JdbcPart.rows(
                    pool,
                    "EXPLAIN SELECT * FROM (SELECT * FROM timer_schedules WHERE " + condition
                            + " ORDER BY tenant_id, timer_id, scope LIMIT 2000) AS found WHERE type = 'rare'"
                            + " ORDER BY tenant_id, timer_id, scope LIMIT 100");
            assertThat(plan).anyMatch(line -> line.contains(index)).noneMatch(line -> line.contains("Seq Scan"));
        }
    }
}
