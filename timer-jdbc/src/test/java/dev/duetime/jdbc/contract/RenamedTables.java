package dev.duetime.jdbc.contract;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A filter that leaves out tests that name the tables in a way that cannot be rewritten, such as to Flyway. */
final class RenamedTables implements ExecutionCondition {
    private static final Set<String> NAMES_THEM = Set.of(
            "aRestartKeepsTimersAndMigratesNothing",
            "theMigrationsMayBeRunAsPlainSql",
            "withoutMigrationTheTablesMustExist",
            "withoutMigrationEachTableMustExist",
            "withoutMigrationEachLaterColumnMustExist",
            "aHostThatMigratesAfterUsNeedsABaseline");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                        .filter(each -> NAMES_THEM.contains(each.getName()))
                        .isPresent()
                ? ConditionEvaluationResult.disabled("the test names tables without their prefix")
                : ConditionEvaluationResult.enabled("the names are rewritten");
    }
}
