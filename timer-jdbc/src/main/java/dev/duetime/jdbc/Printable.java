package dev.duetime.jdbc;

import org.jspecify.annotations.Nullable;

/** Makes text that others wrote fit for a line of a log: short, and with escapes for what would break the line. */
final class Printable {
    private static final int MOST = 255;

    private Printable() {}

    static String of(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder line = new StringBuilder("'");
        for (char c : text.substring(0, Math.min(text.length(), MOST)).toCharArray()) {
            boolean plain = !Character.isISOControl(c) && !Character.isSurrogate(c);
            line.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
        }
        return line.append(text.length() > MOST ? "…'" : "'").toString();
    }
}
