package dev.duetime.internal;

/** The class of an error: its text before the first colon, at most 255 characters, so that databases group by it. */
public final class ErrorClass {
    /** The length of the longest class, in code points. */
    public static final int MOST_CHARACTERS = 255;

    private ErrorClass() {}

    /** Returns the class of an error. */
    public static String of(String error) {
        int colon = error.indexOf(':');
        return cut(colon < 0 ? error : error.substring(0, colon));
    }

    /** Returns the beginning of a text that is too long for a class. */
    public static String cut(String text) {
        return text.codePointCount(0, text.length()) <= MOST_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MOST_CHARACTERS));
    }
}
