package dev.duetime.engine.schedule;

import dev.duetime.StoreException;

/**
 * Thrown when what a handler schedules lies on a host that is away: nothing is wrong with the todo, nor with its own
 * host.
 */
public final class ElsewhereException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ElsewhereException(StoreException cause) {
        super(cause.getMessage(), cause);
    }
}
