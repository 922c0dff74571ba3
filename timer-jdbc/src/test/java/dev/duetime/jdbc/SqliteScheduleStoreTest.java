package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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
    void thePollReadsTheIndexAlone() {
        assertThat(planOfPoll("EXPLAIN QUERY PLAN", "sqlite", 4))
                .contains("SEARCH timer_schedules USING COVERING INDEX timer_schedules_wake")
                .contains("SEARCH timer_schedules USING INTEGER PRIMARY KEY (rowid=?)")
                .doesNotContain("SCAN timer_schedules");
    }
}
