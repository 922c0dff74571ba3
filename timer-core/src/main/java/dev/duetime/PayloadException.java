package dev.duetime;

import dev.duetime.internal.Errors;

/**
 * The exception for a payload that cannot be encoded or decoded. Its message names types and sizes, never the content.
 */
public final class PayloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PayloadException(String message, Throwable cause) {
        // The codec's own message is left out: Jackson's quote the content.
        super(message + " (" + cause.getClass().getName() + ")");
        setStackTrace(Errors.trace(cause));
    }
}
