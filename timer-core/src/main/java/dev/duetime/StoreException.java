package dev.duetime;

import dev.duetime.internal.Errors;

/**
 * The exception for what the database could not do. What it was doing may or may not have been committed; repeating
 * it is safe, since {@code schedule} and {@code cancel} are idempotent. Its message names operation and key, never
 * bound values.
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param operation what was tried, as a verb
     * @param subject what it was tried on: a key, a count, a queue
     * @param cause why it failed
     */
    public StoreException(String operation, Object subject, Throwable cause) {
        super("%s %s failed: %s".formatted(operation, subject, Errors.message(cause)), cause);
    }
}
