package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.admin.QueuePause;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.jdbc.database.CutConnections;
import dev.duetime.jdbc.database.RefusedStatements;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.TableNames;
import dev.duetime.store.DueQuery;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how the schema is created. */
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

    /** Each start dies one statement later than the start before, and begins with the tables that it has left. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFirstStartMayDieAtAnyStatement(boolean afterwards) {
        HikariDataSource dataSource = newDatabase();
        int died = 0;
        for (int number = 1; died == number - 1; number++) {
            try {
                database.open(new CutConnections(dataSource, number, afterwards));
            } catch (CutConnections.Cut e) {
                died++;
            }
            dataSource.getHikariPoolMXBean().softEvictConnections();
        }

        assertThat(died).isGreaterThan(6);
        assertThat(database.open(dataSource).schedule(List.of(timer("a", "x")))).hasSize(1);
    }

    @Test
    void aFirstStartWithoutARightNamesItAndCanBeRepeated() {
        HikariDataSource dataSource = newDatabase();

        assertThatThrownBy(() -> database.open(new RefusedStatements(dataSource, "timer_pauses")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no right to create timer_pauses");

        assertThat(database.open(dataSource).schedule(List.of(timer("a", "x")))).hasSize(1);
    }

    @Test
    void aSecondStartWithoutTheRightStillNamesIt() {
        HikariDataSource dataSource = newDatabase();
        DataSource refusing = new RefusedStatements(dataSource, "timer_pauses");
        assertThatThrownBy(() -> database.open(refusing)).isInstanceOf(StoreException.class);

        assertThatThrownBy(() -> database.open(refusing))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no right to create timer_pauses");
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
        runAllAsPlainSql(dataSource);

        JdbcScheduleStore migrated = database.builder(dataSource).migrate(false).build();

        assertThat(migrated.schedule(List.of(timer("a", "x"))).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(migrated.due(new DueQuery(queue, List.of(0), NOW, 1)).timers())
                .hasSize(1);
        assertThat(migrated.leases().open(queue, OptionalInt.of(2))).isEqualTo(2);
        assertThat(migrated.admin().pause(queue, new QueuePause(NOW, "node"))).isTrue();
        ListItem item = new ListItem(new ListKey("list", "a"), NOW);
        migrated.todos().put(List.of(item));
        assertThat(migrated.todos().overdue("list", NOW, null, 1)).containsExactly(item);
        migrated.correlated().lock(queue, List.of("key"));
        migrated.schedule(List.of(CorrelationRowContract.todo(key("b"), queue, "key")));
        assertThat(migrated.correlated().waiting(queue, tenant, "key", "test")).isEqualTo(migrated.find(key("b")));
    }

    private static void runAllAsPlainSql(HikariDataSource dataSource) throws IOException, SQLException {
        runAsPlainSql(dataSource, "V1__timers.sql");
        runAsPlainSql(dataSource, "V2__hints.sql");
        runAsPlainSql(dataSource, "V3__operators.sql");
        runAsPlainSql(dataSource, "V4__samples.sql");
        runAsPlainSql(dataSource, "V5__occurrences.sql");
        runAsPlainSql(dataSource, "V6__limits.sql");
        runAsPlainSql(dataSource, "V7__tenant_levels.sql");
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
            String path = "migrations/"
                    + Dialect.of(connection, null, TableNames.AS_WRITTEN).sql().dialect() + "/" + name;
            try (InputStream file = JdbcScheduleStore.class.getResourceAsStream(path)) {
                assertThat(file).as(path).isNotNull();
                return new String(file.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void withoutMigrationTheTablesMustExist() throws Exception {
        HikariDataSource dataSource = newDatabase();
        JdbcScheduleStoreBuilder opening = database.builder(dataSource).migrate(false);

        assertThatIllegalStateException()
                .isThrownBy(opening::build)
                .withMessageStartingWith("tables of timers must have version ")
                .withMessageContaining("run dev/duetime/jdbc/migrations/")
                .withMessageContaining("or open the store with migrate(true)")
                .withMessageMatching("(?is).*timer_schedules.*");

        runAllAsPlainSql(dataSource);
        assertThat(opening.build().find(key("a"))).isEmpty();
    }

    @Test
    void withoutMigrationEachTableMustExist() throws Exception {
        HikariDataSource dataSource = newDatabase();
        runAllAsPlainSql(dataSource);
        execute(dataSource, "DROP TABLE timer_merge_slots");

        assertThatIllegalStateException()
                .isThrownBy(() -> database.builder(dataSource).migrate(false).build())
                .withMessageMatching("(?is).*timer_merge_slots.*");
    }

    @Test
    void withoutMigrationEachLaterColumnMustExist() throws Exception {
        HikariDataSource dataSource = newDatabase();
        runAsPlainSql(dataSource, "V1__timers.sql");
        runAsPlainSql(dataSource, "V2__hints.sql");

        assertThatIllegalStateException()
                .isThrownBy(() -> database.builder(dataSource).migrate(false).build())
                .withMessageContaining("run dev/duetime/jdbc/migrations/");
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
