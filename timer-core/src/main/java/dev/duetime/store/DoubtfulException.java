package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.internal.Errors;

/**
 * The exception for an error with which the store answered, and which may be that of a single row or of the store: for
 * example a code that a trigger of the user's has chosen, a missing right, or a missing table. Nothing was written. The
 * engine writes the rows in smaller parts. It takes the error for that of a row if the store can write others, and
 * otherwise for an outage.
 */
@Beta
public final class DoubtfulException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String subject;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public DoubtfulException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
        this.operation = operation;
        this.subject = String.valueOf(subject);
    }

    /** Returns the exception for the same error, which is now known to be that of a row. */
    public RefusedException ofARow() {
        Throwable cause = Errors.cause(this);
        return new RefusedException(operation, subject, cause == null ? this : cause);
    }
}
