package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.MySqlDatabases;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MySqlScheduleStoreTest extends JdbcScheduleStoreContract {
    MySqlScheduleStoreTest() {
        super(new MySqlDatabases());
    }

    @Override
    String refusingHeaders() {
        return Database.MYSQL.refusingHeaders();
    }

    /** With the collations of MySQL, some of these would be one key. */
    @Test
    void keysThatLookAlikeAreDifferentTimers() {
        List<String> alike =
                List.of("resume", "Resume", "résumé", "re\u0301sume\u0301", "resume ", "ﬁ", "fi", "ß", "ss");
        List<NewTimer> timers = alike.stream()
                .map(id -> CorrelationRowContract.todo(TimerKey.of("alike", id), "alike", "key-" + id))
                .toList();

        assertThat(store().schedule(timers)).allMatch(result -> result.outcome() == ScheduleOutcome.CREATED);
        for (NewTimer timer : timers) {
            assertThat(store().find(timer.key()).orElseThrow().generation()).isEqualTo(timer.generation());
            assertThat(store().correlated()
                            .waiting("alike", "alike", "key-" + timer.key().timerId(), "test"))
                    .hasValueSatisfying(found -> assertThat(found.key()).isEqualTo(timer.key()));
        }
        assertThat(JdbcPart.rows(
                        dataSource(),
                        "SELECT timer_id FROM timer_schedules_readable WHERE queue = 'alike' AND timer_id = 'résumé'"))
                .contains("résumé");
    }

    @Test
    void aSessionInAnotherEncodingIsRefused() {
        HikariDataSource latin = pool(databases().create() + "&characterEncoding=ISO-8859-1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcScheduleStore.of(latin))
                .withMessageStartingWith("character_set_connection must be utf8mb4 but is latin1");
    }

    @Test
    void thePollReadsKeysFromTheIndexAloneThenRowsByTheirKeys() {
        assertThat(planOfPoll("EXPLAIN", "mysql", 16).lines().filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|")
                        || (line.contains("|timer_schedules_wake|") && line.contains("Using index")));
    }

    @Test
    void thePollOfKeysReadsTheIndexInItsOrder() {
        assertThat(planOfPollOfKeys("EXPLAIN", "mysql", 16).lines().filter(line -> line.contains("|timer_schedules|")))
                .hasSize(17)
                .allMatch(line -> line.contains("|eq_ref|PRIMARY|PRIMARY|") || line.contains("|timer_schedules_wake|"))
                .noneMatch(line -> line.contains("filesort"));
    }

    @Test
    void theWaitingTodoIsFoundByItsIndex() {
        assertThat(planOfMerge("EXPLAIN", "mysql"))
                .contains("|ref|", "|timer_schedules_correlated|", "|const,const|")
                .doesNotContain("temporary");
    }

    @Test
    void aPageOfAToDoListIsReadFromItsIndexAlone() {
        assertThat(planOfTodos("EXPLAIN", "mysql", 5))
                .contains("|range|", "|timer_todo_items_overdue|", "Using index")
                .doesNotContain("filesort", "temporary");
    }

    @Test
    void theSessionKeepsItsIsolationLevelAndItsWaitForLocks() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(dataSource().getJdbcUrl());
            pool.setMaximumPoolSize(2);
            pool.setConnectionInitSql("SET SESSION innodb_lock_wait_timeout = 37");
            JdbcScheduleStore opened = JdbcScheduleStore.of(pool);
            opened.leases().open("isolation", OptionalInt.of(1));
            NewTimer todo = CorrelationRowContract.todo(TimerKey.of("isolation", "1"), "isolation", "key");
            opened.schedule(List.of(todo));
            assertThat(opened.settle(List.of(new Settlement.Deleted(todo.key(), todo.generation()))))
                    .isEqualTo(1);

            assertThat(JdbcPart.rows(pool, "SELECT @@session.transaction_isolation, @@innodb_lock_wait_timeout"))
                    .containsExactly("REPEATABLE-READ|37");
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
    void aCallerWithAnOldSnapshotFindsTheCurrentWaitingTodo() throws SQLException {
        NewTimer todo = CorrelationRowContract.todo(TimerKey.of("snapshots", "todo"), "snapshots", "key");
        try (Connection caller = dataSource().getConnection()) {
            caller.setAutoCommit(false);
            assertThat(store().in(JdbcTransaction.of(caller)).find(todo.key())).isEmpty();
            store().schedule(List.of(todo));
            var correlated = store().in(JdbcTransaction.of(caller)).correlated();
            correlated.lock("snapshots", List.of("key"));

            assertThat(correlated.waiting("snapshots", "snapshots", "key", "test"))
                    .isEqualTo(store().find(todo.key()));

            caller.rollback();
            caller.setAutoCommit(true);
        }
    }

    @Test
    void theDriverOfMariaDbWorksAsWell() {
        String url = dataSource()
                        .getJdbcUrl()
                        .replaceFirst("^jdbc:mysql:", "jdbc:mariadb:")
                        .replaceFirst("\\?.*", "?")
                + dataSource().getJdbcUrl().replaceFirst(".*\\?(user=[^&]*&password=[^&]*).*", "$1&sslMode=disable");
        try (HikariDataSource pool = FreshDatabases.pool(url)) {
            JdbcScheduleStore other = JdbcScheduleStore.of(pool);
            NewTimer timer = CorrelationRowContract.todo(TimerKey.of("driver", "é"), "driver", "key");

            assertThat(other.schedule(List.of(timer)).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(other.find(timer.key()))
                    .isEqualTo(store().find(timer.key()))
                    .isPresent();
        }
    }

    @Nested
    @DisplayName("locked rows")
    class LockedRow extends LockedRowContract {
        LockedRow() {
            super(MySqlScheduleStoreTest.this);
        }
    }

    @Nested
    @DisplayName("held gaps")
    class HeldGap extends HeldGapContract {
        HeldGap() {
            super(MySqlScheduleStoreTest.this);
        }
    }
}
