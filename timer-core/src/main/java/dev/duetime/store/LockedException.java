package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoreException;

/** The exception for a row that another transaction holds for longer than the store waits. Nothing was written. */
@Beta
public final class LockedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; otherwise as {@link StoreException#StoreException}. */
    public LockedException(String operation, Object subject, Throwable cause) {
        super(operation, subject, cause);
    }
}
