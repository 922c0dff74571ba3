package dev.duetime.store;

import dev.duetime.StoreException;

/**
 * The exception for a collision with another transaction, for example a deadlock. Nothing was written. A repeat may
 * succeed.
 */
public final class CollisionException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final boolean waited;

    /** Creates the exception for a collision that shows at once. Otherwise as {@link StoreException#StoreException}. */
    public CollisionException(String operation, Object subject, Throwable cause) {
        this(operation, subject, cause, false);
    }

    /**
     * Creates the exception; otherwise as {@link StoreException#StoreException}.
     *
     * @param waited as {@link #hasWaited}
     */
    public CollisionException(String operation, Object subject, Throwable cause, boolean waited) {
        super(operation, subject, cause);
        this.waited = waited;
    }

    /**
     * Returns whether the store waited, as long as it may, for what another transaction holds. Then a repeat may have
     * to wait as long again.
     */
    public boolean hasWaited() {
        return waited;
    }
}
