package dev.duetime.jdbc;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The statements for distributed PostgreSQL, on one server: there they must do the same. */
@ExtendWith(DistributedPostgresScheduleStoreTest.StatementsOnly.class)
class DistributedPostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    DistributedPostgresScheduleStoreTest() {
        super(new PostgresDatabases(), settings -> settings.distributed(true));
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }

    /** Leaves out the migrations: they are those of {@link PostgresScheduleStoreTest}. */
    static final class StatementsOnly implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            boolean migrations = context.getTestClass()
                    .filter(each -> MigrationContract.class.isAssignableFrom(each)
                            || HostMigrationContract.class.isAssignableFrom(each))
                    .isPresent();
            return migrations
                    ? ConditionEvaluationResult.disabled("the schema is no other")
                    : ConditionEvaluationResult.enabled("the statements are others");
        }
    }
}
