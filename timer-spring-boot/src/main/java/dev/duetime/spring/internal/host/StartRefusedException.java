package dev.duetime.spring.internal.host;

import org.jspecify.annotations.Nullable;

/** The exception that Duetime refuses to start as the application is set up. The log shows it without a stack trace. */
public final class StartRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final @Nullable String action;

    /** Creates the exception for a problem that says itself what to do. */
    public StartRefusedException(String problem) {
        this(problem, null, null);
    }

    /**
     * Creates the exception.
     *
     * @param action what the user can do
     */
    public StartRefusedException(String problem, String action) {
        this(problem, action, null);
    }

    /**
     * Creates the exception.
     *
     * @param action what the user can do
     * @param cause the error whose message says more; it must not quote a payload
     */
    public StartRefusedException(String problem, @Nullable String action, @Nullable Throwable cause) {
        super(action == null ? problem : problem + ": " + action, cause);
        this.problem = problem;
        this.action = action;
    }

    /** Returns the problem, and what its cause says of it. */
    String description() {
        Throwable cause = getCause();
        return cause == null || cause.getMessage() == null
                ? problem
                : problem + System.lineSeparator() + System.lineSeparator() + cause.getMessage();
    }

    @Nullable
    String action() {
        return action;
    }
}
