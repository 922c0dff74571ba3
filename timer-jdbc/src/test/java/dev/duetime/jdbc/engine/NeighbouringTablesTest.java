package dev.duetime.jdbc.engine;

import static dev.duetime.jdbc.contract.JdbcPart.query;
import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.WakeUp;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.TodoList;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a scheduler with all its features writes to the tables of its own prefix only, and to each of them. */
class NeighbouringTablesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> TABLES = List.of(
            "schedules",
            "shards",
            "nodes",
            "pauses",
            "hints",
            "samples",
            "occurrences",
            "permits",
            "todo_items",
            "merge_slots");

    @ParameterizedTest
    @EnumSource
    void eachTableOfOnePrefixIsWrittenAndNoneOfTheOther(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            JdbcScheduleStore acme =
                    JdbcScheduleStore.builder(pool).tablePrefix("acme_").build();
            JdbcScheduleStore plain = JdbcScheduleStore.of(pool);

            use(acme, pool);
            Map<String, Long> afterwards = rows(pool, "acme_");
            assertThat(afterwards.values())
                    .allSatisfy(count -> assertThat(count).isPositive());
            assertThat(rows(pool, "").values()).containsOnly(0L);

            use(plain, pool);
            assertThat(rows(pool, "").values())
                    .allSatisfy(count -> assertThat(count).isPositive());
            assertThat(rows(pool, "acme_")).isEqualTo(afterwards);
        }
    }

    private static Map<String, Long> rows(HikariDataSource pool, String prefix) {
        Map<String, Long> counts = new LinkedHashMap<>();
        TABLES.forEach(table -> counts.put(
                table,
                Long.valueOf(query(pool, "SELECT count(*) FROM " + prefix + "timer_" + table)
                        .get(0))));
        return counts;
    }

    /** Uses what writes to any table, in transactions of the store and of a caller. */
    private static void use(JdbcScheduleStore store, HikariDataSource pool) throws SQLException {
        TodoQueue likes = TodoQueue.builder("likes")
                .type(
                        "count",
                        Integer.class,
                        (todo, run) -> Outcome.complete(),
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
        TodoList<String> list = TodoList.of("open");
        try (TimerKit kit = TimerKit.builder()
                        .store(store)
                        .configure(settings -> settings.occurrenceHistory(Duration.ofDays(1))
                                .todoQueue(likes)
                                .extension(list)
                                .queue("default", queue -> queue.concurrencyLimit(3)))
                        .build();
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            JdbcTransaction transaction = JdbcTransaction.of(connection);
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.after("rolled-back", SECOND).build());
            connection.rollback();
            kit.scheduler().in(transaction).schedule(Timer.after("once", SECOND).build());
            likes.in(transaction)
                    .enqueue(NewTodo.of("count", 1).correlationKey("post").startAfter(SECOND));
            list.in(transaction).add("17", SECOND);
            connection.commit();
            connection.setAutoCommit(true);

            kit.scheduler()
                    .schedule(Timer.recurring("again", Recurrence.every(SECOND)).build());
            kit.scheduler().admin().activity();
            kit.advance(Duration.ofSeconds(10));
            kit.scheduler().admin().activity();
            kit.scheduler().admin().pause("likes", "maintenance");
            store.wakeUps().send(List.of(new WakeUp("default", Set.of(), kit.now())));
            store.leases()
                    .acquire("default", List.of(), "waits", kit.now(), kit.now().plusSeconds(9));

            assertThat(kit.delivered("once")).hasSize(1);
            assertThat(kit.delivered("rolled-back")).isEmpty();
            assertThat(kit.scheduler().admin().activity())
                    .anySatisfy(each -> assertThat(each.samples()).isNotEmpty());
        }
    }
}
