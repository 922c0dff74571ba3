package dev.duetime.internal;

/**
 * The {@link IllegalArgumentException} for a field that is out of bounds. It names the field, which may be a header of
 * the user's. Name and message are fit for a log.
 */
public final class LimitException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    public LimitException(String field, String message) {
        super(Printable.line(message));
        this.field = Printable.line(field);
    }

    public String field() {
        return field;
    }
}
