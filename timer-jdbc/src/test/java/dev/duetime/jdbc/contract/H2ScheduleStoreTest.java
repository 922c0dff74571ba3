package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.H2Databases;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
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
    void theWaitingTodoIsFoundByItsIndex() {
        assertThat(planOfMerge("EXPLAIN", "h2"))
                .contains("TIMER_SCHEDULES_CORRELATED")
                .doesNotContain("tableScan");
    }

    @Test
    void thePollWithExclusionsReadsTheIndexInItsOrder() {
        assertThat(planOfPollBut("EXPLAIN", "h2", 4))
                .contains("TIMER_SCHEDULES_WAKE", "index sorted")
                .doesNotContain("tableScan");
    }

    @Test
    void thePollOfKeysReadsTheIndexInItsOrder() {
        assertThat(planOfPollOfKeys("EXPLAIN", "h2", 4))
                .contains("TIMER_SCHEDULES_WAKE", "index sorted")
                .doesNotContain("tableScan");
    }

    @Test
    void thePollReadsTheIndexInItsOrder() {
        assertThat(planOfPoll("EXPLAIN", "h2", 4))
                .contains("TIMER_SCHEDULES_WAKE", "index sorted")
                .doesNotContain("tableScan");
    }

    @Test
    void aPageOfAToDoListIsReadFromItsIndexAlone() {
        assertThat(planOfTodos("EXPLAIN", "h2", 5))
                .contains("TIMER_TODO_ITEMS_OVERDUE: OVERDUE_AT <= ", "AND OVERDUE_AT >= 1000", "index sorted")
                .doesNotContain("tableScan");
    }

    @Nested
    @DisplayName("locked rows")
    class LockedRow extends LockedRowContract {
        LockedRow() {
            super(H2ScheduleStoreTest.this);
        }
    }
}
