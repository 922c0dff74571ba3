package dev.duetime;

/** Is the {@link IllegalArgumentException} of a field that is out of bounds; knows which field for those who ask on. */
final class LimitException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    LimitException(String field, String message) {
        super(message);
        this.field = field;
    }

    String field() {
        return field;
    }
}
