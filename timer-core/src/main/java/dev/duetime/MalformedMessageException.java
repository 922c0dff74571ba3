package dev.duetime;

/** Thrown for JSON that is not what it should be. Names the field; never quotes a payload. */
public final class MalformedMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    /** Creates one that names the field, {@code $} for the whole, and says what it must be. */
    public MalformedMessageException(String field, String reason) {
        super(reason);
        this.field = field;
    }

    /** Returns the name of the field that is missing or malformed, or {@code $} for the message as a whole. */
    public String field() {
        return field;
    }
}
