package dev.duetime.spring.internal.host;

/** The exception that Duetime does not run with a library of the application. */
public final class UnsupportedHostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates the exception.
     *
     * @param action what the user can do
     */
    UnsupportedHostException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
