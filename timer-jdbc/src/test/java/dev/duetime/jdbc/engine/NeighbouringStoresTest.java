package dev.duetime.jdbc.engine;

import static dev.duetime.jdbc.contract.JdbcPart.query;
import static dev.duetime.jdbc.contract.JdbcPart.rows;
import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.QueueOverview;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that stores with different prefixes or schemas in one database do not see each other. */
class NeighbouringStoresTest {
    private static final TimerKey KEY = TimerKey.of("tenant", "a");
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09.123456Z");
    private static final Duration TURN = Duration.ofMillis(100);

    private static JdbcScheduleStore prefixed(HikariDataSource pool, String prefix) {
        return JdbcScheduleStore.builder(pool).tablePrefix(prefix).build();
    }

    private static TimerKit kit(JdbcScheduleStore store) {
        return TimerKit.builder()
                .store(store)
                .configure(settings -> settings.retention(Duration.ofMinutes(1)))
                .build();
    }

    private static Timer timer(String timerId, int minutes) {
        return Timer.after(TimerKey.of("tenant", timerId), Duration.ofMinutes(minutes))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void eachSchedulerDeliversPurgesAndShowsItsOwnTimersOnly(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create());
                TimerKit acme = kit(prefixed(pool, "acme_"));
                TimerKit plain = kit(JdbcScheduleStore.of(pool))) {
            assertThat(acme.scheduler().schedule(timer("a", 1)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(plain.scheduler().schedule(timer("a", 2)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            plain.scheduler().schedule(timer("b", 1));

            acme.advance(Duration.ofMinutes(1));
            assertThat(acme.delivered()).extracting(Envelope::key).containsExactly(KEY);
            assertThat(plain.delivered()).isEmpty();
            assertThat(states(acme)).containsExactly(TimerState.REACHED);
            assertThat(states(plain)).containsExactly(TimerState.SCHEDULED, TimerState.SCHEDULED);
            plain.advance(Duration.ofMinutes(2));
            assertThat(plain.delivered())
                    .extracting(envelope -> envelope.key().timerId())
                    .containsExactly("b", "a");

            plain.advance(Duration.ofMinutes(5));
            assertThat(states(plain)).isEmpty();
            assertThat(states(acme)).containsExactly(TimerState.REACHED);
            acme.advance(Duration.ofMinutes(5));
            assertThat(states(acme)).isEmpty();
        }
    }

    private static List<TimerState> states(TimerKit kit) {
        return kit.scheduler().admin().query(TimerQuery.all().allowScan()).stream()
                .map(StoredTimer::state)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aPauseAndARepairConcernOneSchedulerOnly(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create());
                TimerKit acme = kit(prefixed(pool, "acme_"));
                TimerKit other = kit(prefixed(pool, "other_"))) {
            acme.scheduler().schedule(timer("a", 1));
            other.scheduler().schedule(timer("a", 1));
            String queue = other.scheduler().admin().queues().get(0).queue();
            assertThat(other.scheduler().admin().pause(queue, "maintenance")).isTrue();

            acme.advance(Duration.ofMinutes(2));
            other.advance(Duration.ofMinutes(2));

            assertThat(acme.delivered()).hasSize(1);
            assertThat(other.delivered()).isEmpty();
            assertThat(acme.scheduler().admin().queues())
                    .extracting(QueueOverview::pause)
                    .allSatisfy(pause -> assertThat(pause).isNull());
            assertThat(acme.scheduler().admin().deliverNow(TimerQuery.all().tenantId("tenant")))
                    .isZero();
            assertThat(other.scheduler().admin().cancel(KEY)).isTrue();
            assertThat(acme.scheduler().find(KEY).map(StoredTimer::state)).hasValue(TimerState.REACHED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leasesAndToDoListsConcernOneStoreOnly(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            JdbcScheduleStore acme = prefixed(pool, "acme_");
            JdbcScheduleStore other = prefixed(pool, "other_");
            assertThat(acme.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
            assertThat(other.leases().open("q", OptionalInt.of(3))).isEqualTo(3);

            assertThat(acme.leases().acquire("q", List.of(0, 1), "one", NOW, NOW.plusSeconds(9)))
                    .containsExactlyInAnyOrder(0, 1);
            assertThat(other.leases().acquire("q", List.of(0, 1), "two", NOW, NOW.plusSeconds(9)))
                    .containsExactlyInAnyOrder(0, 1);
            acme.todos().put(List.of(new ListItem(new ListKey("list", "a"), NOW)));

            assertThat(other.todos().overdue("list", NOW, null, 9)).isEmpty();
            assertThat(acme.todos().overdue("list", NOW, null, 9)).hasSize(1);
            acme.wakeUps().send(List.of(new WakeUp("q", Set.of(), NOW)));
            assertThat(other.wakeUps().sent()).isEmpty();
            assertThat(acme.wakeUps().sent()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void aCallersTransactionReachesTheTablesOfAnotherSchema(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create());
                Schema schema = new Schema(kind, pool)) {
            JdbcScheduleStore store = JdbcScheduleStore.builder(pool)
                    .schema(schema.name)
                    .tablePrefix("acme_")
                    .build();
            JdbcScheduleStore here = JdbcScheduleStore.of(pool);
            try (Scheduler scheduler = Scheduler.builder().store(store).build();
                    Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                scheduler.in(JdbcTransaction.of(connection)).schedule(timer("a", 1));
                connection.rollback();
                assertThat(scheduler.find(KEY)).isEmpty();

                scheduler.in(JdbcTransaction.of(connection)).schedule(timer("a", 1));
                connection.commit();
                connection.setAutoCommit(true);

                assertThat(scheduler.find(KEY)).isPresent();
                assertThat(here.find(KEY)).isEmpty();
                assertThat(query(pool, "SELECT count(*) FROM " + schema.quoted + ".acme_timer_schedules_readable"))
                        .containsExactly("1");
                assertThat(rows(pool, "SELECT timer_id FROM timer_schedules")).isEmpty();
            }
        }
    }

    /** A schema beside that of the test; dropped when closed. */
    private static final class Schema implements AutoCloseable {
        private final HikariDataSource pool;
        private final String name = FreshDatabases.newName() + "-T";
        private final String quoted;
        private final String drop;

        Schema(Database kind, HikariDataSource pool) {
            this.pool = pool;
            boolean backticks = kind == Database.MARIADB || kind == Database.MYSQL;
            quoted = backticks
                    ? "`" + name + "`"
                    : "\"" + (kind == Database.H2 ? name.toUpperCase(Locale.ROOT) : name) + "\"";
            drop = "DROP SCHEMA " + quoted + (backticks ? "" : " CASCADE");
        }

        @Override
        public void close() throws SQLException {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(drop);
            }
        }
    }

    @Test
    void aHintIsPushedToStoresOfTheSameTablesOnly() throws SQLException {
        WakeUp mine = new WakeUp("q", Set.of(3), NOW);
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = pool(databases.create())) {
            String current = query(pool, "SELECT current_schema()").get(0);
            JdbcScheduleStore acme = prefixed(pool, "Acme_");
            JdbcScheduleStore sameTables = JdbcScheduleStore.builder(pool)
                    .schema(current)
                    .tablePrefix("Acme_")
                    .build();
            try (Schema schema = new Schema(Database.POSTGRESQL, pool);
                    WakeUps.Receiver receiver = acme.wakeUps().receive().orElseThrow()) {
                List<JdbcScheduleStore> others = List.of(
                        JdbcScheduleStore.of(pool),
                        prefixed(pool, "other_"),
                        JdbcScheduleStore.builder(pool)
                                .schema(schema.name)
                                .tablePrefix("Acme_")
                                .build());
                others.forEach(other -> other.wakeUps().send(List.of(new WakeUp("theirs", Set.of(), Instant.EPOCH))));
                sameTables.wakeUps().send(List.of(mine));

                List<WakeUp> received = new ArrayList<>();
                for (int i = 0; i < 200 && received.isEmpty(); i++) {
                    received.addAll(receiver.await(TURN));
                }
                assertThat(received).containsExactly(mine);
            }
        }
    }
}
