package dev.duetime.store;

import dev.duetime.StoreException;

/**
 * The exception for a collision with another transaction, for example a deadlock. Nothing was written. A repeat may
 * succeed.
 */
public final class CollisionException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public CollisionException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
