package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Micros;
import dev.duetime.QueuePause;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NextDue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** How the schema comes to be. */
abstract class MigrationContract extends JdbcPart {
    private static final int NODES = 8;
    private static final int ROUNDS = 2;

    MigrationContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void nodesMayStartAtOnceOnAnEmptySchema() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String url = database.databases().create();
                CyclicBarrier start = new CyclicBarrier(NODES);
                List<Callable<Integer>> nodes = new ArrayList<>();
                for (int i = 0; i < NODES; i++) {
                    HikariDataSource pool = database.pool(url);
                    nodes.add(() -> {
                        start.await();
                        return database.open(pool).leases().open(queue, OptionalInt.of(3));
                    });
                }
                for (Future<Integer> each : threads.invokeAll(nodes)) {
                    assertThat(each.get()).isEqualTo(3);
                }
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a node did not start", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRestartKeepsTimersAndMigratesNothing() {
        DataSource dataSource = newDatabase();
        database.open(dataSource).schedule(List.of(timer("a", "x")));
        int before = applied(dataSource);

        JdbcScheduleStore again = database.open(dataSource);

        assertThat(again.find(key("a"))).isPresent();
        assertThat(applied(dataSource)).isEqualTo(before).isPositive();
    }

    private static int applied(DataSource dataSource) {
        Flyway flyway = Flyway.configure()
                .dataSource(dataSource)
                .table("duetime_schema_history")
                .load();
        return flyway.info().applied().length;
    }

    @Test
    void twoConnectionsAreEnoughToStart() {
        HikariDataSource dataSource = newDatabase();
        dataSource.setMaximumPoolSize(2);

        assertThat(database.open(dataSource).schedule(List.of(timer("a", "x")))).hasSize(1);
    }

    @Test
    void theMigrationsMayBeRunAsPlainSql() throws Exception {
        HikariDataSource dataSource = newDatabase();
        runAsPlainSql(dataSource, "V1__timers.sql");
        runAsPlainSql(dataSource, "V2__wake_index_of_scheduled_rows.sql");
        runAsPlainSql(dataSource, "V3__pauses.sql");
        runAsPlainSql(dataSource, "V4__recurrence.sql");
        runAsPlainSql(dataSource, "V5__todo_items.sql");
        runAsPlainSql(dataSource, "V6__todos.sql");

        JdbcScheduleStore migrated = database.builder(dataSource).migrate(false).build();

        assertThat(migrated.schedule(List.of(timer("a", "x"))).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(migrated.due(new DueQuery(queue, List.of(0), NOW, 1)).timers())
                .hasSize(1);
        assertThat(migrated.leases().open(queue, OptionalInt.of(2))).isEqualTo(2);
        assertThat(migrated.admin().pause(queue, new QueuePause(NOW, "node"))).isTrue();
        TodoItem item = new TodoItem(new TodoKey("list", "a"), NOW);
        migrated.todos().put(List.of(item));
        assertThat(migrated.todos().overdue("list", NOW, null, 1)).containsExactly(item);
        migrated.correlated().lock(queue, List.of("key"));
        migrated.schedule(List.of(CorrelationRowContract.todo(key("b"), queue, "key")));
        assertThat(migrated.correlated().waiting(queue, "key")).isEqualTo(migrated.find(key("b")));
    }

    @Test
    void timersAndItemsOfTheFifthVersionAreKept() throws Exception {
        HikariDataSource dataSource = newDatabase();
        migrateTo(dataSource, "5");
        insertByFirstVersion(dataSource, "a");
        insertByFirstVersion(dataSource, "b");
        execute(dataSource, "UPDATE timer_schedules SET correlation_key = 'key', previous_at = 7 WHERE timer_id = 'a'");
        execute(dataSource, "INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES ('list', 'item', 7)");

        JdbcScheduleStore migrated = JdbcScheduleStore.of(dataSource);

        assertThat(migrated.find(key("a"))).hasValueSatisfying(timer -> {
            assertThat(timer.previousAt()).isEqualTo(Micros.ofLong(7));
            assertThat(timer.content().step()).isNull();
            assertThat(timer.content().correlationKey()).isEqualTo("key");
        });
        assertThat(migrated.correlated().waiting(queue, "key")).isEqualTo(migrated.find(key("a")));
        assertThat(migrated.start(key("a"), 1, NOW)).isTrue();
        assertThat(migrated.correlated().waiting(queue, "key")).isEmpty();
        assertThat(migrated.find(key("b"))).isPresent();
        assertThat(migrated.todos().find(new TodoKey("list", "item")))
                .contains(new TodoItem(new TodoKey("list", "item"), Micros.ofLong(7)));
    }

    @Test
    void timersAndShardsOfTheFirstVersionAreKept() throws Exception {
        HikariDataSource dataSource = newDatabase();
        migrateTo(dataSource, "1");
        execute(
                dataSource,
                "INSERT INTO timer_shards (queue, shard, owner, epoch, lease_until) VALUES ('old', 0, 'node', 7, 9)");
        insertByFirstVersion(dataSource, "a");

        JdbcScheduleStore migrated = JdbcScheduleStore.of(dataSource);

        assertThat(migrated.find(key("a"))).hasValueSatisfying(timer -> {
            assertThat(timer.dueAt()).isEqualTo(NOW);
            assertThat(timer.previousAt()).isNull();
        });
        assertThat(migrated.nextDue(queue, List.of(0), Instant.MIN)).isEqualTo(new NextDue(NOW, null));
        assertThat(migrated.leases().view("old").leases()).singleElement().satisfies(lease -> {
            assertThat(lease.owner()).isEqualTo("node");
            assertThat(lease.epoch()).isEqualTo(7);
        });
    }

    private void insertByFirstVersion(HikariDataSource dataSource, String timerId) throws SQLException {
        long micros = Micros.toLong(NOW);
        boolean rearm;
        try (Connection connection = dataSource.getConnection()) {
            rearm = Dialect.of(connection, null).sql().dialect().equals("postgres");
        }
        execute(
                dataSource,
                ("INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation,"
                                + " attempt, revision, type, payload, priority, registered_at%s)"
                                + " VALUES ('%s', '%s', '%s', 0, %d, %d, 'SCHEDULED', 1, 0, 0, 't', '', 0, %d%s)")
                        .formatted(
                                rearm ? ", rearm" : "",
                                tenant,
                                timerId,
                                queue,
                                micros,
                                micros,
                                micros,
                                rearm ? ", false" : ""));
    }

    private static void migrateTo(HikariDataSource dataSource, String version) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            Flyway.configure()
                    .dataSource(dataSource)
                    .table("duetime_schema_history")
                    .locations("classpath:dev/duetime/jdbc/migration/"
                            + Dialect.of(connection, null).sql().dialect())
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .target(version)
                    .load()
                    .migrate();
        }
    }

    private static void runAsPlainSql(HikariDataSource dataSource, String file) throws IOException, SQLException {
        for (String statement : migration(dataSource, file).split(";\n", -1)) {
            if (!statement.isBlank()) {
                execute(dataSource, statement);
            }
        }
    }

    private static String migration(HikariDataSource dataSource, String name) throws IOException, SQLException {
        try (Connection connection = dataSource.getConnection()) {
            String path = "migration/" + Dialect.of(connection, null).sql().dialect() + "/" + name;
            try (InputStream file = JdbcScheduleStore.class.getResourceAsStream(path)) {
                assertThat(file).as(path).isNotNull();
                return new String(file.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void withoutMigrationThereAreNoTables() {
        JdbcScheduleStore empty = database.builder(newDatabase()).migrate(false).build();

        assertThatThrownBy(() -> empty.find(key("a")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("find " + tenant + "/a failed");
    }

    @Test
    void theReadableViewShowsTimestampsAndNoPayload() {
        store().schedule(List.of(timer("a", "secret")));

        List<String> row = query(
                database.dataSource(), "SELECT * FROM timer_schedules_readable WHERE tenant_id = '" + tenant + "'");

        assertThat(row).contains("a", "SCHEDULED", "6").doesNotContain("secret");
        assertThat(row)
                .anySatisfy(column -> assertThat(column).contains("2031-05-06").contains("08:09.123"));
    }
}
