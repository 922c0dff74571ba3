package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    PostgresScheduleStoreTest() {
        super(new PostgresDatabases());
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }

    @Test
    void thePollMergesTheIndexInItsOrder() {
        assertThat(planOfPoll("EXPLAIN", "postgres", 16))
                .contains("Merge Append", "Index Scan using timer_schedules_wake")
                .doesNotContain("Seq Scan", "Bitmap");
    }
}
