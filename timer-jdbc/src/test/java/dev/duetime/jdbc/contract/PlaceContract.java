package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.DueQuery;
import dev.duetime.store.LockedException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What PostgreSQL promises because it finds rows again by the place where they were read. */
abstract class PlaceContract extends JdbcPart {
    private static final List<Function<StoredTimer, Settlement>> OUTCOMES = List.of(
            timer -> new Deleted(timer.key(), timer.generation()),
            timer -> new Ended(timer.key(), timer.generation(), TimerState.REACHED, NOW, 1, null));

    PlaceContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    static Stream<Function<StoredTimer, Settlement>> outcomes() {
        return OUTCOMES.stream();
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void rowsThatWereMovedAreSettledByKey(Function<StoredTimer, Settlement> outcome) {
        HikariDataSource pool = newDatabase();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);
        schedule(store, 50);
        List<StoredTimer> due = due(store);
        execute(pool, "DELETE FROM timer_schedules WHERE timer_id LIKE '1%'");
        execute(pool, "VACUUM FULL timer_schedules");

        int settled = store.settle(due.stream().map(outcome).toList());

        assertThat(settled).isEqualTo(39);
        assertThat(due(store)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void anotherRowInThePlaceStays(Function<StoredTimer, Settlement> outcome) {
        HikariDataSource pool = newDatabase();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);
        NewTimer read = timer("read", "x");
        store.schedule(List.of(read));
        StoredTimer due = due(store).get(0);
        execute(pool, "TRUNCATE timer_schedules");
        NewTimer other =
                new NewTimer(key("other"), read.shard(), read.content(), read.generation(), read.registeredAt(), false);
        store.schedule(List.of(other));
        assertThat(query(pool, "SELECT CAST(ctid AS text) FROM timer_schedules"))
                .as("where the first row was")
                .containsExactly("(0,1)");

        assertThat(store.settle(List.of(outcome.apply(due)))).isZero();

        assertThat(due(store)).extracting(StoredTimer::key).containsExactly(key("other"));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aTimerThatWasRescheduledSinceStays(Function<StoredTimer, Settlement> outcome) {
        schedule(store(), 3);
        List<StoredTimer> due = due(store());
        store().schedule(List.of(timer("1", "later")));

        assertThat(store().settle(due.stream().map(outcome).toList())).isEqualTo(2);

        assertThat(due(store())).extracting(StoredTimer::key).containsExactly(key("1"));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aRowThatWasStartedIsSettledOnce(Function<StoredTimer, Settlement> outcome) {
        schedule(store(), 2);
        List<StoredTimer> due = due(store());
        StoredTimer first = due.get(0);
        assertThat(store().start(first.key(), first.generation(), NOW)).isTrue();

        assertThat(store().settle(due.stream().map(outcome).toList())).isEqualTo(2);
        assertThat(store().settle(due.stream().map(outcome).toList())).isZero();
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aHeldRowWithoutAPlaceUndoesWhatWasWrittenInPlaces(Function<StoredTimer, Settlement> outcome)
            throws SQLException {
        schedule(store(), 4);
        List<StoredTimer> due = due(store());
        StoredTimer held = due.get(2);
        assertThat(store().start(held.key(), held.generation(), NOW)).isTrue();
        List<Settlement> outcomes = due.stream().map(outcome).toList();
        try (Connection holder = database.dataSource().getConnection()) {
            holder.setAutoCommit(false);
            try (PreparedStatement hold = holder.prepareStatement(
                    "UPDATE timer_schedules SET priority = 1 WHERE tenant_id = ? AND timer_id = ?")) {
                hold.setString(1, held.key().tenantId());
                hold.setString(2, held.key().timerId());
                hold.executeUpdate();
            }

            assertThatExceptionOfType(LockedException.class).isThrownBy(() -> store().settle(outcomes));
            Settled settled = store().settleUnlocked(outcomes);

            assertThat(settled.count()).isEqualTo(3);
            assertThat(settled.locked()).containsExactly(outcomes.get(2));
            holder.rollback();
            holder.setAutoCommit(true);
        }
    }

    /** With a plan that was made for an almost empty table, 1,000 outcomes took a minute. */
    @Test
    void aTableThatHasGrownHasOtherPlans() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.databases().create());
        config.addDataSourceProperty("prepareThreshold", "1");
        config.addDataSourceProperty("options", "-c plan_cache_mode=force_generic_plan");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            execute(pool, "ALTER TABLE timer_schedules SET (autovacuum_enabled = false)");
            schedule(store, 20);
            List<StoredTimer> few = due(store);
            store.settle(List.of(OUTCOMES.get(0).apply(few.get(0))));
            store.settle(List.of(OUTCOMES.get(1).apply(few.get(1))));
            store.settle(List.of(OUTCOMES.get(0).apply(few.get(0)))); // by key
            assertThat(plansOfSettlements(pool, "")).anyMatch(plan -> plan.contains("Seq Scan on timer_schedules"));
            execute(
                    pool,
                    "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation,"
                            + " attempt, revision, rearm, type, payload, priority, registered_at)"
                            + " SELECT 't', i, 'other', 0, i, i, 'SCHEDULED', i, 0, 0, false, 'T', '', 0, 0"
                            + " FROM generate_series(1, 20000) AS i");

            List<StoredTimer> many = due(store);
            store.settle(List.of(OUTCOMES.get(0).apply(many.get(2))));
            store.settle(List.of(OUTCOMES.get(1).apply(many.get(3))));
            store.settle(List.of(OUTCOMES.get(0).apply(many.get(2))));

            assertThat(plansOfSettlements(pool, "/* size"))
                    .noneMatch(plan -> plan.contains("Seq Scan on timer_schedules"))
                    .anyMatch(plan -> plan.contains("Tid Scan on timer_schedules"))
                    .anyMatch(plan -> plan.contains("Index Scan using timer_schedules_pkey"));
        }
    }

    /** An idle node reads nothing due, but asks for the next due time. */
    @Test
    void theNextDueTimeTellsThatTheTableHasGrown() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.databases().create());
        config.addDataSourceProperty("prepareThreshold", "1");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            schedule(store, 20);
            List<StoredTimer> few = due(store);
            execute(
                    pool,
                    "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation,"
                            + " attempt, revision, rearm, type, payload, priority, registered_at)"
                            + " SELECT 't', i, 'other', 0, i, i, 'SCHEDULED', i, 0, 0, false, 'T', '', 0, 0"
                            + " FROM generate_series(1, 20000) AS i");

            store.nextDue(queue, List.of(0), Instant.MIN);
            store.settle(List.of(OUTCOMES.get(0).apply(few.get(0))));

            assertThat(plansOfSettlements(pool, "/* size")).isNotEmpty();
        }
    }

    /** Returns the plans of prepared settlements whose text has this part. */
    private static List<String> plansOfSettlements(HikariDataSource pool, String part) throws SQLException {
        List<String> plans = new ArrayList<>();
        try (Connection one = pool.getConnection();
                Connection other = pool.getConnection()) {
            for (Connection each : List.of(one, other)) {
                List<String> explains = rows(
                        each,
                        "SELECT 'EXPLAIN EXECUTE \"' || name || '\"('"
                                + " || array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', ')"
                                + " || ')' FROM pg_prepared_statements"
                                + " WHERE cardinality(parameter_types) > 0"
                                + " AND position('timer_schedules AS standing' IN statement) > 0"
                                + " AND position('" + part + "' IN statement) > 0");
                for (String explain : explains) {
                    plans.add(String.join("\n", rows(each, explain)));
                }
            }
        }
        return plans;
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
        }
        return rows;
    }

    private void schedule(JdbcScheduleStore store, int count) {
        List<NewTimer> timers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            timers.add(timer(Integer.toString(i), "x"));
        }
        store.schedule(timers);
    }

    private List<StoredTimer> due(JdbcScheduleStore store) {
        return store.due(new DueQuery(queue, List.of(0), NOW, 100)).timers();
    }
}
