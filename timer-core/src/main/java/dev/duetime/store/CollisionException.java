package dev.duetime.store;

import dev.duetime.StoreException;

/**
 * The exception for another transaction that was in the way, such as by a deadlock. Nothing was written; a repeat may
 * succeed.
 */
public final class CollisionException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public CollisionException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
