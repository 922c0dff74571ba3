package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.SqliteDatabases;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SqliteScheduleStoreTest extends JdbcScheduleStoreContract {
    SqliteScheduleStoreTest() {
        super(new SqliteDatabases());
    }

    @Override
    String refusingHeaders() {
        return Database.SQLITE.refusingHeaders();
    }

    @Test
    void theWaitingTodoIsFoundByItsIndex() {
        assertThat(planOfMerge("EXPLAIN QUERY PLAN", "sqlite"))
                .contains(
                        "SEARCH timer_schedules USING INDEX timer_schedules_correlated (queue=? AND correlation_key=?)")
                .doesNotContain("SCAN timer_schedules");
    }

    @Test
    void thePollWithExclusionsReadsTheIndexInItsOrder() {
        assertThat(planOfPollBut("EXPLAIN QUERY PLAN", "sqlite", 4))
                .contains("SEARCH timer_schedules USING INDEX timer_schedules_wake")
                .doesNotContain("SCAN timer_schedules");
    }

    @Test
    void thePollOfKeysReadsTheIndexInItsOrder() {
        assertThat(planOfPollOfKeys("EXPLAIN QUERY PLAN", "sqlite", 4))
                .contains("SEARCH timer_schedules USING INDEX timer_schedules_wake")
                .doesNotContain("SCAN timer_schedules");
    }

    @Test
    void thePollReadsTheIndexAlone() {
        assertThat(planOfPoll("EXPLAIN QUERY PLAN", "sqlite", 4))
                .contains("SEARCH timer_schedules USING COVERING INDEX timer_schedules_wake")
                .contains("SEARCH timer_schedules USING INTEGER PRIMARY KEY (rowid=?)")
                .doesNotContain("SCAN timer_schedules");
    }

    @Test
    void aPageOfAToDoListIsReadFromItsIndexAlone() {
        assertThat(planOfTodos("EXPLAIN QUERY PLAN", "sqlite", 5))
                .contains(
                        "SEARCH timer_todo_items USING COVERING INDEX timer_todo_items_overdue",
                        "(list=? AND (overdue_at,item_id)>(?,?) AND overdue_at<?)")
                .doesNotContain("SCAN", "TEMP B-TREE");
    }

    @Test
    void aPoolWithoutAutoCommitWhoseTransactionsAreImmediateOpens() {
        opens(databases().create() + "&transaction_mode=IMMEDIATE");
    }

    @Test
    void aPoolWithoutAutoCommitOpensWithoutAWriteAheadLog() {
        opens(databases().create().replaceFirst("\\?.*", ""));
    }

    private void opens(String url) {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            pool.setAutoCommit(false);
            JdbcScheduleStore opened = open(pool);

            assertThat(opened.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
        }
    }
}
