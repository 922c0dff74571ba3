package dev.duetime.jdbc;

import java.util.Set;
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

    /** Leaves out what runs no statement but those of {@link PostgresScheduleStoreTest}. */
    static final class StatementsOnly implements ExecutionCondition {
        private static final Set<Class<?>> SAME = Set.of(
                Migration.class,
                HostMigration.class,
                Query.class,
                Pending.class,
                Purge.class,
                Leases.class,
                LeaseAcquire.class,
                Count.class,
                Revive.class,
                DamagedBulk.class,
                Todo.class,
                TodoJoining.class,
                TodoRows.class,
                Correlating.class,
                CorrelatedRace.class,
                CorrelationRows.class,
                Start.class);

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestClass().filter(SAME::contains).isPresent()
                    ? ConditionEvaluationResult.disabled("the statements are no others")
                    : ConditionEvaluationResult.enabled("the statements are others");
        }
    }
}
