package dev.duetime.internal;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text from outside, made fit for a message or a line of a log: one line, short, and without passwords. Thread-safe.
 *
 * <p>Escaped as {@code \}{@code u000a} are control characters, line and paragraph separators, unpaired surrogates, and
 * characters that are invisible or change the direction of the text behind them.
 */
public final class Printable {
    /** How many characters of a text are shown, before it is escaped. */
    public static final int LONGEST = 1_000;

    /** To the last at sign: a login may hold one itself, and slashes. */
    private static final Pattern LOGIN = Pattern.compile("//\\S*@");

    private static final Pattern SECRET = Pattern.compile(
            "(?i)([\\w.-]*(?:password|passwd|passphrase|pwd|secret|token|credential)[\\w.-]*\\s*=)[^&;\\s]*");

    private Printable() {}

    /** Returns the text escaped and cut after {@link #LONGEST} characters; {@code null} for null. */
    public static String line(@Nullable String text) {
        return escaped(String.valueOf(text), LONGEST);
    }

    /** Returns the text escaped, cut after the given number of characters, and in quotes; {@code null} for null. */
    public static String quoted(@Nullable String text, int longest) {
        return text == null ? "null" : "'" + escaped(text, longest) + "'";
    }

    /**
     * Returns the message of an exception, or a URL, as {@link #line} does and without what looks like a password: what
     * stands between {@code //} and an at sign, or behind {@code password=} and the like.
     */
    public static String withoutSecrets(@Nullable String text) {
        String known = LOGIN.matcher(String.valueOf(text)).replaceAll("//…@");
        return line(SECRET.matcher(known).replaceAll("$1…"));
    }

    private static String escaped(String text, int longest) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), longest) + 16);
        int end = Math.min(text.length(), longest);
        for (int i = 0; i < end; ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (isPlain(point)) {
                line.appendCodePoint(point);
            } else {
                line.append("\\u%04x".formatted(point));
            }
        }
        return text.length() > longest ? line.append('…').toString() : line.toString();
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
