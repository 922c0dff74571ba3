package dev.duetime.jdbc.contract;

import static dev.duetime.jdbc.contract.JdbcPart.execute;
import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    PostgresScheduleStoreTest() {
        super(new PostgresDatabases());
    }

    @Override
    protected boolean expiresUnread() {
        return true;
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }

    @Test
    void thePollScansTheIndexInItsOrder() {
        assertThat(planOfPoll("EXPLAIN", "postgres", 16))
                .contains("Nested Loop", "Limit", "Index Scan using timer_schedules_wake")
                .doesNotContain("Seq Scan", "Bitmap");
    }

    @Test
    void thePollWithExclusionsScansTheIndexInItsOrder() {
        assertThat(planOfPollBut("EXPLAIN", "postgres", 16))
                .contains("Nested Loop", "Limit", "Index Scan using timer_schedules_wake")
                .doesNotContain("Seq Scan", "Bitmap");
    }

    @Test
    void thePollOfKeysScansTheIndexInItsOrder() {
        assertThat(planOfPollOfKeys("EXPLAIN", "postgres", 16))
                .contains("Nested Loop", "Limit", "Index Scan using timer_schedules_wake")
                .doesNotContain("Seq Scan", "Bitmap");
    }

    @Test
    void theLatestWaitingTodoIsReadFromTheEndOfTheIndex() {
        assertThat(planOfMerge("EXPLAIN", "postgres"))
                .contains("Limit", "Index Scan Backward using timer_schedules_correlated")
                .doesNotContain("Seq Scan", "Bitmap");
    }

    @Test
    void aPageOfAToDoListIsReadFromItsIndexAlone() {
        assertThat(planOfTodos("EXPLAIN", "postgres", 5))
                .contains("Index Only Scan using timer_todo_items_overdue", "ROW(overdue_at, item_id) > ")
                .doesNotContain("Seq Scan", "Bitmap", "Sort", "Filter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "settle_advanced",
                "settle_deleted",
                "settle_ended",
                "settle_moved",
                "settle_retried",
                "cancel",
                "cancel_generation",
                "start",
                "lock_waiting"
            })
    void aWriteFindsRowsByKeyEvenIfStatisticsShowNoScheduledRows(String settle) {
        try (HikariDataSource pool = pool(databases().create())) {
            JdbcScheduleStore.builder(pool).build();
            execute(pool, "ALTER TABLE timer_schedules SET (autovacuum_enabled = off)");
            execute(pool, rows(1, 5_000, "'REACHED', NULL"));
            execute(pool, "ANALYZE timer_schedules");
            execute(pool, rows(5_001, 10_000, "'SCHEDULED', i"));

            String statement = new SqlFiles("postgres")
                    .text(settle)
                    .replaceAll(":(now|inDelivery|generation\\b(?!\\s*AS bigint))", "1")
                    .replaceAll(":\\w+", "'{}'");

            assertThat(String.join("\n", JdbcPart.rows(pool, "EXPLAIN " + statement)))
                    .contains("timer_schedules_pkey")
                    .doesNotContain("timer_schedules_wake");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"expire_deleted", "expire_kept"})
    void expiredRowsAreFoundInOrderAndThenByTheirPlace(String statement) {
        try (HikariDataSource pool = pool(databases().create())) {
            JdbcScheduleStore.builder(pool).build();
            execute(pool, rows(1, 5_000, "'SCHEDULED', i"));
            execute(pool, "ANALYZE timer_schedules");

            String text = new SqlFiles("postgres")
                    .text(statement)
                    .replace(":now", "5000")
                    .replace(":queue", "'queue'")
                    .replace(":shard", "7")
                    .replace(":limit", "1000");

            assertThat(String.join("\n", JdbcPart.rows(pool, "EXPLAIN " + text)))
                    .contains("Tid Scan", "Index Scan using timer_schedules_wake")
                    .doesNotContain("Seq Scan on timer_schedules", "Sort");
        }
    }

    @Test
    void aTimerThatIsRescheduledMeanwhileDoesNotExpire() throws Exception {
        try (HikariDataSource pool = pool(databases().create());
                Connection other = pool.getConnection()) {
            JdbcScheduleStore store = JdbcScheduleStore.builder(pool).build();
            execute(pool, rows(1, 1, "'SCHEDULED', i"));
            execute(pool, "UPDATE timer_schedules SET expires_at = 2");
            other.setAutoCommit(false);
            try (Statement reschedule = other.createStatement()) {
                reschedule.executeUpdate("UPDATE timer_schedules SET expires_at = NULL, generation = 2");
            }
            CompletableFuture<Map<String, Integer>> ended = CompletableFuture.supplyAsync(
                    () -> store.expire("queue", 1, Instant.EPOCH.plusSeconds(1), true, 10));
            while (JdbcPart.rows(pool, "SELECT 1 FROM pg_locks WHERE NOT granted")
                    .isEmpty()) {
                Thread.onSpinWait();
            }
            other.commit();

            assertThat(ended.get(10, TimeUnit.SECONDS)).isEmpty();
            assertThat(JdbcPart.rows(pool, "SELECT state FROM timer_schedules")).containsExactly("SCHEDULED");
        }
    }

    private static String rows(int from, int to, String stateAndWakeAt) {
        return """
            INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, state, wake_at, generation,
                attempt, revision, rearm, type, payload, priority, registered_at)
            SELECT 'tenant', 't-' || i, 'queue', i %% 64, i, %s, i, 0, 0, false, 'timer', '', 0, i
            FROM generate_series(%d, %d) AS i
            """.formatted(stateAndWakeAt, from, to);
    }

    @Nested
    @DisplayName("places")
    class Place extends PlaceContract {
        Place() {
            super(PostgresScheduleStoreTest.this);
        }
    }

    @Nested
    @DisplayName("new keys")
    class NewKeys extends NewKeysContract {
        NewKeys() {
            super(PostgresScheduleStoreTest.this);
        }
    }

    @Nested
    @DisplayName("locked rows")
    class LockedRow extends LockedRowContract {
        LockedRow() {
            super(PostgresScheduleStoreTest.this);
        }
    }
}
