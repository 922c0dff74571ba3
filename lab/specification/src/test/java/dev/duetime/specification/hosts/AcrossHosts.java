package dev.duetime.specification.hosts;

import java.lang.reflect.Method;
import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A filter that leaves out the tests of what a store of several databases does not promise, each with its reason. */
public final class AcrossHosts implements ExecutionCondition {
    private static final Map<String, String> NOT_PROMISED = Map.of(
            "aBatchBecomesVisibleAtOnce", "each host commits by itself",
            "payloadsHeadersAndErrorsCountForTheLimitOfBytes", "each host has a loop and reads of its own");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                .map(Method::getName)
                .map(NOT_PROMISED::get)
                .map(ConditionEvaluationResult::disabled)
                .orElse(ConditionEvaluationResult.enabled("promised"));
    }
}
