package dev.duetime.spring.internal.host;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The analysis of a start that failed because Duetime does not run with a library of the application. */
final class UnsupportedHostFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedHostException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedHostException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
