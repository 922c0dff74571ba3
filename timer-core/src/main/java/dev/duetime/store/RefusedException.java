package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;

/**
 * Thrown when the store answered and refused what it was to write, as by a trigger or a constraint of the database:
 * nothing was written. Of several outcomes one may be to blame, so that the engine writes them down by parts.
 */
@Beta
public final class RefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public RefusedException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
