package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement.Ended;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What PostgreSQL promises because it inserts a large batch as new first. */
abstract class NewKeysContract extends JdbcPart {
    private static final int MANY = 150;

    NewKeysContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void aLargeBatchOfNewTimersIsInserted() {
        HikariDataSource pool = countingUpserts();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);

        List<ScheduleResult> results = store.schedule(timers("a", 0, MANY));

        assertThat(outcomes(results)).containsOnly(ScheduleOutcome.CREATED).hasSize(MANY);
        assertThat(results).extracting(ScheduleResult::state).containsOnly(TimerState.SCHEDULED);
        assertThat(rows(pool, "SELECT timer_id FROM timer_schedules")).hasSize(MANY);
        assertThat(upserts(pool)).isZero();
    }

    @Test
    void theUpsertDecidesABatchWithAKeyThatExists() {
        HikariDataSource pool = countingUpserts();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);
        List<NewTimer> old = timers("a", 0, 3);
        store.schedule(old);
        store.settle(List.of(new Ended(old.get(2).key(), old.get(2).generation(), TimerState.REACHED, NOW, 1, null)));
        int before = upserts(pool);
        List<NewTimer> batch = new ArrayList<>(timers("a", 3, MANY));
        batch.add(40, timer("a0", "x"));
        batch.add(60, timer("a1", "changed"));
        batch.add(80, timer("a2", "changed"));

        List<ScheduleResult> results = store.schedule(batch);

        assertThat(results).extracting(ScheduleResult::key).containsExactlyElementsOf(keysOf(batch));
        assertThat(results.get(40).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(results.get(40).generation()).isEqualTo(old.get(0).generation());
        assertThat(results.get(60).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(results.get(80).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
        assertThat(outcomes(results))
                .filteredOn(each -> each == ScheduleOutcome.CREATED)
                .hasSize(MANY - 3);
        assertThat(rows(pool, "SELECT timer_id FROM timer_schedules")).hasSize(MANY);
        assertThat(upserts(pool)).isEqualTo(before + 1);
    }

    @Test
    void equalKeysOfOneBatchAreScheduledInTheirOrder() {
        JdbcScheduleStore store = JdbcScheduleStore.of(newDatabase());
        List<NewTimer> batch = new ArrayList<>(timers("a", 0, MANY));
        batch.add(timer("a7", "changed"));

        List<ScheduleResult> results = store.schedule(batch);

        assertThat(results.get(7).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(results.get(MANY).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(store.find(key("a7")).orElseThrow().generation())
                .isEqualTo(batch.get(MANY).generation());
    }

    @Test
    void aKeyThatExistsDoesNotEndATransactionOfTheCaller() throws SQLException {
        HikariDataSource pool = newDatabase();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);
        store.schedule(timers("a", 0, 1));
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);

            List<ScheduleResult> results =
                    store.in(JdbcTransaction.of(connection)).schedule(timers("a", 0, MANY));
            connection.commit();

            assertThat(outcomes(results))
                    .filteredOn(each -> each == ScheduleOutcome.CREATED)
                    .hasSize(MANY - 1);
        }
        assertThat(rows(pool, "SELECT timer_id FROM timer_schedules")).hasSize(MANY);
    }

    @Test
    void aPoolWithoutAutoCommitIsCommittedAndRolledBack() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.databases().create());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);

            List<ScheduleResult> created = store.schedule(timers("a", 0, MANY));
            List<ScheduleResult> others = store.scheduleEach(timers("a", MANY - 1, 2 * MANY));

            assertThat(outcomes(created)).containsOnly(ScheduleOutcome.CREATED);
            assertThat(others.get(0).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
            assertThat(others.get(1).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(rows(pool, "SELECT timer_id FROM timer_schedules")).hasSize(2 * MANY);
        }
    }

    /** The insert succeeds, and stores fewer rows than it was given. */
    @Test
    void aTimerThatATriggerLeavesOutIsNotReportedAsCreated() {
        HikariDataSource pool = newDatabase();
        JdbcScheduleStore store = JdbcScheduleStore.of(pool);
        store.find(key("none"));
        execute(
                pool,
                "CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql"
                        + " AS 'BEGIN IF NEW.timer_id = ''a7'' THEN RETURN NULL; END IF; RETURN NEW; END'");
        execute(
                pool,
                "CREATE TRIGGER leaving_out BEFORE INSERT ON timer_schedules"
                        + " FOR EACH ROW EXECUTE FUNCTION leave_out()");

        assertThatIllegalStateException()
                .isThrownBy(() -> store.schedule(timers("a", 0, MANY)))
                .withMessageContaining("a7");
        assertThat(rows(pool, "SELECT timer_id FROM timer_schedules"))
                .as("all or none")
                .isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> store.scheduleEach(timers("a", 0, MANY)))
                .withMessageContaining("a7");

        assertThat(store.find(key("a7"))).isEmpty();
    }

    @Test
    void concurrentBatchesCreateEachKeyOnce() {
        JdbcScheduleStore store = JdbcScheduleStore.of(newDatabase());
        for (int round = 0; round < 5; round++) {
            String prefix = "r" + round + "-";
            List<CompletableFuture<List<ScheduleResult>>> calls = IntStream.range(0, 4)
                    .mapToObj(caller -> CompletableFuture.supplyAsync(() -> {
                        List<NewTimer> batch = new ArrayList<>(timers(prefix, 20 * caller, MANY + 20 * caller));
                        Collections.reverse(batch);
                        return store.schedule(batch);
                    }))
                    .toList();

            List<ScheduleResult> results = calls.stream()
                    .map(CompletableFuture::join)
                    .flatMap(List::stream)
                    .toList();

            assertThat(results.stream()
                            .filter(each -> each.outcome() == ScheduleOutcome.CREATED)
                            .map(ScheduleResult::key)
                            .collect(Collectors.toList()))
                    .doesNotHaveDuplicates()
                    .hasSize(MANY + 60);
            assertThat(results.stream().filter(each -> each.outcome() != ScheduleOutcome.CREATED))
                    .allMatch(each -> each.outcome() == ScheduleOutcome.UNCHANGED);
        }
    }

    /** A trigger of a statement runs for each upsert, also for one that updates nothing. */
    private HikariDataSource countingUpserts() {
        HikariDataSource pool = newDatabase();
        JdbcScheduleStore.of(pool).find(key("none"));
        execute(pool, "CREATE TABLE upserts (at timestamptz)");
        execute(
                pool,
                "CREATE FUNCTION count_upsert() RETURNS trigger LANGUAGE plpgsql"
                        + " AS 'BEGIN INSERT INTO upserts VALUES (now()); RETURN NULL; END'");
        execute(
                pool,
                "CREATE TRIGGER counted AFTER UPDATE ON timer_schedules"
                        + " FOR EACH STATEMENT EXECUTE FUNCTION count_upsert()");
        return pool;
    }

    private static int upserts(HikariDataSource pool) {
        return Integer.parseInt(query(pool, "SELECT count(*) FROM upserts").get(0));
    }

    private static List<ScheduleOutcome> outcomes(List<ScheduleResult> results) {
        return results.stream().map(ScheduleResult::outcome).toList();
    }

    private static List<TimerKey> keysOf(List<NewTimer> timers) {
        return timers.stream().map(NewTimer::key).toList();
    }

    private List<NewTimer> timers(String prefix, int from, int to) {
        return Stream.iterate(from, i -> i < to, i -> i + 1)
                .map(i -> timer(prefix + i, "x"))
                .toList();
    }
}
