package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;

/**
 * The exception for a write that the store refused, for example by a trigger or a constraint of the database. Nothing
 * was written. One of several rows may be the reason. So the engine then writes them in smaller parts.
 */
@Beta
public final class RefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public RefusedException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
