package dev.duetime.engine.schedule;

import dev.duetime.StoreException;

/** The exception for a handler that schedules on a host that is away. Neither the todo nor its own host is at fault. */
public final class ElsewhereException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ElsewhereException(StoreException cause) {
        super(cause.getMessage(), cause);
    }
}
