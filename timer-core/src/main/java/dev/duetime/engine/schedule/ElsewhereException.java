package dev.duetime.engine.schedule;

import dev.duetime.StoreException;
import dev.duetime.internal.Errors;

/**
 * The exception for a failure on another host, while a handler or housekeeping of this host uses that host. Neither the
 * todo nor its own host is at fault.
 */
public final class ElsewhereException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ElsewhereException(StoreException cause) {
        super(Errors.message(cause), cause);
    }
}
