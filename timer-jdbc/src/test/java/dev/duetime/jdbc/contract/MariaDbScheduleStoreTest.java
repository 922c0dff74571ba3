package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.MariaDbDatabases;
import dev.duetime.store.NewTimer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    MariaDbScheduleStoreTest() {
        super(new MariaDbDatabases());
    }

    @Override
    String refusingHeaders() {
        return Database.MARIADB.refusingHeaders();
    }

    @Test
    void aSessionThatTreatsEmptyTextAsNullIsRefused() {
        String url = databases().create();
        HikariDataSource oracle =
                pool(url + (url.contains("?") ? "&" : "?") + "sessionVariables=sql_mode='EMPTY_STRING_IS_NULL'");

        assertThatThrownBy(() -> JdbcScheduleStore.of(oracle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("EMPTY_STRING_IS_NULL");
    }

    @Test
    void thePollReadsKeysFromTheIndexAloneThenRowsByTheirKeys() {
        assertThat(planOfPoll("EXPLAIN", "mariadb", 16).lines().filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|")
                        || (line.contains("|timer_schedules_wake|") && line.contains("Using index")));
    }

    @Test
    void thePollWithExclusionsReadsTheIndexInItsOrder() {
        assertThat(planOfPollBut("EXPLAIN", "mariadb", 16).lines().filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|") || line.contains("|timer_schedules_wake|"))
                .noneMatch(line -> line.contains("filesort"));
    }

    @Test
    void thePollOfKeysReadsTheIndexInItsOrder() {
        assertThat(planOfPollOfKeys("EXPLAIN", "mariadb", 16)
                        .lines()
                        .filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|") || line.contains("|timer_schedules_wake|"))
                .noneMatch(line -> line.contains("filesort"));
    }

    @Test
    void theWaitingTodoIsFoundByItsIndex() {
        assertThat(planOfMerge("EXPLAIN", "mariadb"))
                .contains("|ref|", "|timer_schedules_correlated|", "|const,const|")
                .doesNotContain("temporary");
    }

    @Test
    void aCallerWithAnOldSnapshotFindsTheCurrentWaitingTodo() throws SQLException {
        NewTimer todo = CorrelationRowContract.todo(TimerKey.of("snapshots", "todo"), "snapshots", "key");
        try (Connection caller = withOldSnapshot(todo)) {
            var correlated = store().in(JdbcTransaction.of(caller)).correlated();
            correlated.lock("snapshots", List.of("key"));

            assertThat(correlated.waiting("snapshots", "snapshots", "key", "test"))
                    .isEqualTo(store().find(todo.key()));

            caller.rollback();
            caller.setAutoCommit(true);
        }
    }

    @Test
    void aPageOfAToDoListIsReadFromItsIndexAlone() {
        assertThat(planOfTodos("EXPLAIN", "mariadb", 5))
                .contains("|range|", "|timer_todo_items_overdue|", "Using index")
                .doesNotContain("filesort", "temporary");
    }

    @Test
    void theSessionKeepsItsIsolationLevel() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(dataSource().getJdbcUrl());
            pool.setMaximumPoolSize(2);
            JdbcScheduleStore.of(pool).leases().open("isolation", OptionalInt.of(1));

            assertThat(JdbcPart.rows(pool, "SELECT @@session.tx_isolation")).containsExactly("REPEATABLE-READ");
        }
    }

    @Test
    void theZoneOfTheSessionDoesNotChangeTheClock() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(dataSource().getJdbcUrl());
            pool.setConnectionInitSql("SET time_zone = '+09:00'");
            Instant here = store().leases().now();

            assertThat(JdbcScheduleStore.of(pool).leases().now()).isBetween(here, here.plus(Duration.ofMinutes(30)));
        }
    }

    @Test
    void aSessionThatLeavesOutRowsIsRefused() {
        HikariDataSource pool = pool(dataSource().getJdbcUrl() + "&sessionVariables=sql_select_limit=1000");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(pool))
                .withMessage("sql_select_limit must not be set for the connections of Duetime but is 1000: results"
                        + " would lack rows");
    }

    @Test
    void aDriverThatDoesNotCountIsRefusedAtOnce() {
        HikariDataSource pool = pool(dataSource().getJdbcUrl() + "&useBulkStmts=true");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(pool))
                .withMessageContaining("useBulkStmts");
    }

    /** The pool gives such connections only after the store was opened. */
    @Test
    void aDriverThatDoesNotCountChangesNoLease() {
        HikariDataSource pool = pool(dataSource().getJdbcUrl() + "&useBulkStmts=true");
        AtomicBoolean opened = new AtomicBoolean();
        JdbcScheduleStore bulk = JdbcScheduleStore.of(new DataSourceDecorator(dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return opened.get() ? pool.getConnection() : super.getConnection();
            }
        });
        opened.set(true);
        bulk.leases().open("bulk", OptionalInt.of(2));

        assertThatIllegalStateException()
                .isThrownBy(() -> bulk.leases().acquire("bulk", List.of(0, 7), "node", Instant.EPOCH, Instant.EPOCH))
                .withMessageContaining("useBulkStmts");
        assertThat(store().leases().view("bulk").leases())
                .allSatisfy(lease -> assertThat(lease.owner()).isNull());
    }

    @Test
    void aCallerWithAnOldSnapshotSchedulesOverRowsThatItDoesNotSee() throws SQLException {
        NewTimer same = timer("same", "b");
        try (Connection caller = withOldSnapshot(timer("moved", "a"), same)) {
            List<ScheduleResult> results = store().in(JdbcTransaction.of(caller))
                    .schedule(List.of(timer("moved", "b"), timer("same", "b"), timer("new", "c")));
            caller.commit();
            caller.setAutoCommit(true);

            assertThat(results)
                    .extracting(ScheduleResult::outcome)
                    .containsExactly(ScheduleOutcome.RESCHEDULED, ScheduleOutcome.UNCHANGED, ScheduleOutcome.CREATED);
            assertThat(results.get(1).generation()).isEqualTo(same.generation());
        }
        assertThat(store().find(timer("moved", "b").key()).orElseThrow().content())
                .isEqualTo(timer("moved", "b").content());
        assertThat(store().find(timer("new", "c").key())).isPresent();
    }

    /** MariaDB's default from 11.6 on; the caller repeats the transaction. */
    @Test
    void aCallerWithAGuardedOldSnapshotGetsAnError() throws SQLException {
        try (HikariDataSource guarded = FreshDatabases.pool(
                        dataSource().getJdbcUrl() + "&sessionVariables=innodb_snapshot_isolation=ON");
                Connection caller = withOldSnapshot(guarded, timer("guarded", "a"))) {
            assertThatThrownBy(() -> store().in(JdbcTransaction.of(caller)).schedule(List.of(timer("guarded", "b"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("code 1020");
            caller.rollback();
            caller.setAutoCommit(true);
        }
    }

    private Connection withOldSnapshot(NewTimer... unseen) throws SQLException {
        return withOldSnapshot(dataSource(), unseen);
    }

    /** Begins a transaction at REPEATABLE READ that does not see the timers, which are scheduled by another session. */
    private Connection withOldSnapshot(DataSource callers, NewTimer... unseen) throws SQLException {
        Connection caller = callers.getConnection();
        caller.setAutoCommit(false);
        assertThat(store().in(JdbcTransaction.of(caller)).find(unseen[0].key())).isEmpty();
        store().schedule(List.of(unseen));
        assertThat(store().in(JdbcTransaction.of(caller)).find(unseen[0].key())).isEmpty();
        return caller;
    }

    private static NewTimer timer(String timerId, String payload) {
        TimerContent content = new TimerContent(
                "snapshots",
                JdbcPart.NOW,
                null,
                "test",
                Payload.of(payload.getBytes(StandardCharsets.UTF_8)),
                Map.of(),
                0,
                null,
                null,
                null,
                null,
                null,
                null);
        long generation = ThreadLocalRandom.current().nextLong(1L << 62);
        return new NewTimer(TimerKey.of("snapshots", timerId), 0, content, generation, JdbcPart.NOW, false);
    }

    @Nested
    @DisplayName("locked rows")
    class LockedRow extends LockedRowContract {
        LockedRow() {
            super(MariaDbScheduleStoreTest.this);
        }
    }

    @Nested
    @DisplayName("held gaps")
    class HeldGap extends HeldGapContract {
        HeldGap() {
            super(MariaDbScheduleStoreTest.this);
        }
    }
}
