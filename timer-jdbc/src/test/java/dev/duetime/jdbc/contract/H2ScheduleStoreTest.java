package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.H2Databases;
import dev.duetime.jdbc.database.StatementCounts;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Set;
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
    void aReadOfNoKeysRunsNoStatement() {
        StatementCounts counts = new StatementCounts(dataSource());
        JdbcScheduleStore counted = open(counts);
        Set<String> keys = Set.of("a", "b");
        DueQuery ofNoKeys = new DueQuery(
                "q", List.of(0), Instant.MIN, Instant.MAX, 10, new Exclusion(keys, Set.of(), Set.of(), 0, Set.of("a")));
        DueQuery ofOneKey = new DueQuery(
                "q", List.of(0), Instant.MIN, Instant.MAX, 10, new Exclusion(Set.of("a"), Set.of(), Set.of(), 0, keys));
        counts.clear();

        assertThat(counted.due(ofNoKeys)).isEqualTo(new DueTimers(List.of(), false));
        assertThat(counts.total()).isZero();
        counted.due(ofOneKey);
        assertThat(counts.total()).isEqualTo(1);
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
