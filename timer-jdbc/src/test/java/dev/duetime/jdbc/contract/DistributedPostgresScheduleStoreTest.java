package dev.duetime.jdbc.contract;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.PostgresDatabases;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The contract of every store, with the statements for distributed PostgreSQL, on one server. */
@Tag("full")
@ExtendWith(DistributedPostgresScheduleStoreTest.StatementsOnly.class)
class DistributedPostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    DistributedPostgresScheduleStoreTest() {
        super(new PostgresDatabases(), settings -> settings.distributed(true));
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }

    /** A filter that leaves out tests that run no other statements than {@link PostgresScheduleStoreTest}. */
    static final class StatementsOnly implements ExecutionCondition {
        private static final Set<String> SAME = Set.of(
                "Migration",
                "HostMigration",
                "Query",
                "Pending",
                "Purge",
                "Leases",
                "LeaseAcquire",
                "Count",
                "Revive",
                "DamagedBulk",
                "Todo",
                "TodoJoining",
                "TodoRows",
                "Correlating",
                "CorrelatedRace",
                "CorrelationRows",
                "Start");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestClass()
                            .filter(each -> SAME.contains(each.getSimpleName()))
                            .isPresent()
                    ? ConditionEvaluationResult.disabled("the statements are the same")
                    : ConditionEvaluationResult.enabled("the statements differ");
        }
    }
}
