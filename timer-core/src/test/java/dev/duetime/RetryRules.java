package dev.duetime;

import dev.duetime.internal.RetryRule;

/** Retry policies in the engine's form, for tests of its parts. */
public final class RetryRules {
    private RetryRules() {}

    /** Returns what the engine asks. */
    public static RetryRule of(RetryPolicy policy) {
        return policy.rule();
    }
}
