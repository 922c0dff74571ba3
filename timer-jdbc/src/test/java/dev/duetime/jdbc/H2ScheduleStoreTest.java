package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class H2ScheduleStoreTest extends JdbcScheduleStoreContract {
    H2ScheduleStoreTest() {
        super(new H2Databases());
    }

    @Override
    String refusingHeaders() {
        return Database.H2.refusingHeaders();
    }

    @Test
    void thePollReadsTheIndexInItsOrder() {
        assertThat(planOfPoll("EXPLAIN", "h2", 4))
                .contains("TIMER_SCHEDULES_WAKE", "index sorted")
                .doesNotContain("tableScan");
    }
}
