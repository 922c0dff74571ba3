package dev.duetime.engine;

import dev.duetime.StoreException;

/** Thrown when what a handler schedules lies on a host that is away: nothing is wrong with the todo, nor with its own host. */
final class ElsewhereException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ElsewhereException(StoreException cause) {
        super(cause.getMessage(), cause);
    }
}
