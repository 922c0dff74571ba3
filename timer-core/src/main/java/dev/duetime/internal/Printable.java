package dev.duetime.internal;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
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

    /** How many characters of a text are searched for secrets, so that a long one costs no long time. */
    private static final int SEARCHED = 4 * LONGEST;

    private static final String LOGIN_START = "(?<![^\\s\"'=(])[^\\s\"'…]";

    /**
     * To the last at sign: a login may hold one itself, and slashes. Without {@code //} before it, it has a colon in
     * it or a port behind the host, so that the key of a todo is kept. MariaDB's {@code 'user'@'host'} is kept.
     */
    private static final Pattern LOGIN = Pattern.compile("(//)\\S*@"
            + "|" + LOGIN_START + "(?:(?!//)[^\\s:])*:(?:(?!//)\\S)*(?<!['\"])@"
            + "|" + LOGIN_START + "(?:(?!//)\\S)*(?<!['\"])@(?=[\\w.-]+:\\d)");

    /**
     * MariaDB's driver takes the password of {@code //user:password@host} for a port, up to a slash in it. MySQL's
     * driver quotes the part of a URL that it cannot read.
     */
    private static final Pattern PART_OF_URL =
            Pattern.compile("(?i)(port value\\s*:\\s*)\\S+|(connection string near\\s+)[^\\n]*");

    private static final String SECRET_NAME =
            "[\\w.-]*(?:password|passwd|passphrase|pwd|secret|token|credential)[\\w.-]*\\s*=\\s*";
    /** A value that is hidden already is left, so that a text may be hidden twice. */
    private static final String NOT_HIDDEN = "(?!…(?!\\w))";

    /**
     * What ends a value depends on what separates settings: H2 allows {@code &} and spaces in a password, PostgreSQL
     * {@code ;} and spaces. An {@code &} without the name of a setting behind it is a part of the value.
     */
    private static final Pattern SECRET = Pattern.compile("(?i)([?&]" + SECRET_NAME + ")" + NOT_HIDDEN
            + "[^&\\n]*+(?:&(?![\\w.-]++=)[^&\\n]*+)*+|((?<![?&\\w.-])" + SECRET_NAME + ")" + NOT_HIDDEN + "[^;\\n]*");

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
     * Returns the message of an exception, or a URL, as {@link #line} does and without what looks like a password: the
     * text between {@code //}, or a name with a colon, and an at sign, the text between a space and an at sign with a
     * host and a port behind it, and the text after {@code password=} and the like.
     */
    public static String withoutSecrets(@Nullable String text) {
        String whole = String.valueOf(text);
        String named = SECRET.matcher(searched(whole))
                .replaceAll(found -> Matcher.quoteReplacement(present(found, 1) + present(found, 2) + "…"));
        String known = LOGIN.matcher(named).replaceAll(found -> present(found, 1) + "…@");
        return line(PART_OF_URL
                .matcher(known)
                .replaceAll(found -> Matcher.quoteReplacement(present(found, 1) + present(found, 2) + "…")));
    }

    /** Returns the start of a long text, without the word that would be cut: it may be a login up to an at sign. */
    private static String searched(String whole) {
        int end = whole.length();
        if (end > SEARCHED) {
            end = SEARCHED;
            while (end > 0 && !Character.isWhitespace(whole.charAt(end - 1))) {
                end--;
            }
        }
        return end == whole.length() ? whole : whole.substring(0, end) + "…";
    }

    private static String present(MatchResult found, int group) {
        String text = found.group(group);
        return text == null ? "" : text;
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
