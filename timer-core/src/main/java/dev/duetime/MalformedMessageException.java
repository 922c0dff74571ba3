package dev.duetime;

import dev.duetime.internal.Printable;

/**
 * The exception for JSON that is not what it should be. It names the field, never quotes a payload, and is fit for a
 * log.
 */
public final class MalformedMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    /**
     * Creates one that names the field, {@code $} for the whole, and says what it must be. Line breaks and the like are
     * escaped in both, and each is cut after 1,000 characters.
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
