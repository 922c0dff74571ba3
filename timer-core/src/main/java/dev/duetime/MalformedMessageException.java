package dev.duetime;

import dev.duetime.internal.Printable;

/** The exception for malformed JSON. Its message names the field, never quotes a payload, and may be logged. */
public final class MalformedMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    /**
     * Creates the exception for a field, or {@code $} for the message as a whole, and what it must be. Both texts are
     * escaped for logs, and cut after 1,000 characters.
     */
    public MalformedMessageException(String field, String reason) {
        super(Printable.line(reason));
        this.field = Printable.line(field);
    }

    /** Returns the name of the field that is missing or malformed, or {@code $} for the message as a whole. */
    public String field() {
        return field;
    }
}
