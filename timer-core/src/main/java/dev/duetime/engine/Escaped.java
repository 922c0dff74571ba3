package dev.duetime.engine;

/** Makes text from outside fit for a line of the log. */
final class Escaped {
    private static final int MOST = 500;

    private Escaped() {}

    /** Returns the text, cut short, with control characters as {@code \\uXXXX}. */
    static String of(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MOST); i++) {
            char c = text.charAt(i);
            escaped.append(isPlain(c) ? String.valueOf(c) : "\\u%04x".formatted((int) c));
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c) {
        int type = Character.getType(c);
        return !Character.isISOControl(c)
                && !Character.isSurrogate(c)
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
