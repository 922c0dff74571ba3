package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.StatementCounts;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a read of the console's pages has few statements, with few parts, however much there is. */
class BoundedViewsTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    /** 30,276 of them, of which each second recurs. */
    private static final String FILL =
            "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, wake_at,"
                    + " state, generation, attempt, revision, type, payload, priority, registered_at, recurrence, catch_up)"
                    + " WITH RECURSIVE few AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM few WHERE n < 173)"
                    + " SELECT 'tenant', concat(a.n, '-', b.n), 'mail', 0, 0, 0, 'SCHEDULED', 1, 0, 0, 'timer', '', 0, 0,"
                    + " CASE WHEN b.n % 2 = 0 THEN 'PT1H' END, CASE WHEN b.n % 2 = 0 THEN 'LATEST' END"
                    + " FROM few AS a, few AS b";

    /** To plan a part takes longer than to run it, and each part opens the table once more. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aForecastHasAtMost64Parts(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            StatementCounts counts = new StatementCounts(pool);
            ScheduleStore store = JdbcScheduleStore.of(counts);
            var unused = store.leases().open("mail", OptionalInt.of(64));
            for (int slots : new int[] {1, 24, 60}) {
                counts.clear();
                assertThat(store.admin().views().forecast("mail", NOW, Duration.ofMinutes(1), slots))
                        .hasSize(slots);

                assertThat(counts.counts().keySet())
                        .filteredOn(text -> text.contains("timer_schedules"))
                        .singleElement()
                        .satisfies(text -> assertThat(text.split("UNION ALL")).hasSizeBetween(8, 64));
            }
        }
    }

    @Test
    void aToDoListCostsTwoStatementsAndLaterOnesCountFewerItems() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            StatementCounts counts = new StatementCounts(pool);
            ScheduleStore store = JdbcScheduleStore.of(counts);
            for (int list = 0; list < 22; list++) {
                String name = "list %02d".formatted(list);
                store.todos()
                        .put(IntStream.range(0, 202)
                                .mapToObj(i -> new ListItem(new ListKey(name, "" + i), NOW.plusSeconds(i - 5)))
                                .toList());
            }
            counts.clear();

            List<TodoListSummary> lists = store.admin().views().todoLists(NOW);

            assertThat(counts.total()).isEqualTo(2 * 22 + 1);
            Instant first = NOW.minusSeconds(5);
            assertThat(lists).hasSize(22);
            assertThat(lists.get(19))
                    .isEqualTo(new TodoListSummary(
                            "list 19", new BoundedCount(202, true), new BoundedCount(6, true), first));
            assertThat(lists.get(20))
                    .isEqualTo(new TodoListSummary(
                            "list 20", new BoundedCount(200, false), new BoundedCount(6, true), first));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aPageOfRecurringTimersLooksAtAThousand(Database kind) {
        try (FreshDatabases databases = kind.open();
                OneSession session = OneSession.of(databases.create())) {
            StatementCounts counts = new StatementCounts(session.pool());
            TimerViews views = JdbcScheduleStore.builder(counts)
                    .migrate(false)
                    .build()
                    .admin()
                    .views();
            JdbcPart.execute(session.pool(), FILL);
            for (int limit : new int[] {50, 1_000}) {
                counts.clear();

                assertThat(session.readBy(() -> assertThat(
                                        views.recurring(null, null, limit).timers())
                                .hasSize(Math.min(limit, 500))))
                        .isLessThan(1_100);
                assertThat(counts.total()).isLessThanOrEqualTo(10);
            }
        }
    }
}
