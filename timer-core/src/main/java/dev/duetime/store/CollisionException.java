package dev.duetime.store;

import dev.duetime.StoreException;

/** Thrown when another transaction was in the way, such as by a deadlock: nothing was written, and a repeat may succeed. */
public final class CollisionException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public CollisionException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
